/// The looks of every page: light, dark, on a phone and on paper.
enum PageStyle {
  static let css = colours + text + decision + tables + drawings + phone + paper + longNames

  private static let colours = """
    :root{--ink:#16202c;--soft:#525d6b;--line:#d5dbe3;--paper:#fff;--panel:#f4f6f9;--good:#14713f;--bad:#b3261e;\
    --open:#7a5200;--plain:#3b5b8c;--s0:#5b6b80;--s1:#2f5fd0;--s2:#bf5213;--s3:#1a7f73;--s4:#8e44ad;--s5:#b8336a;--rest:#767d87}
    @media (prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#a9b3c0;--line:#3a4452;--paper:#11161d;\
    --panel:#1b222c;--good:#5ad19a;--bad:#ff8f86;--open:#f0b95a;--plain:#9db9ea;--s0:#a7b5c8;--s1:#7da2ff;\
    --s2:#ffb066;--s3:#5fd3c4;--s4:#c79bea;--s5:#ff8fb8;--rest:#8a919b}}

    """

  private static let text = """
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:66rem;padding:1.2rem;background:var(--paper);color:var(--ink);\
    font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
    h1{margin:0;font-size:1.1rem}h2{margin:2rem 0 .4rem;font-size:1.25rem}h3{margin:0 0 .2rem;font-size:1rem}
    p{margin:.3rem 0}.when,.facts,.note,.lead,.small{color:var(--soft);font-size:.9rem}.note:empty,.facts:empty,.lead:empty{display:none}
    .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.3rem;background:var(--paper);padding:.5rem}
    .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    a{color:var(--plain)}
    summary{cursor:pointer;color:var(--soft);font-size:.9rem;padding:.15rem 0}
    :focus-visible{outline:2px solid var(--s1);outline-offset:2px}
    .pill{font-size:.78rem;font-weight:600;padding:.05em .55em;border-radius:1em;border:1px solid currentColor;white-space:nowrap}
    .pill.better,.pill.not_worse,.pill.earns_more{color:var(--good)}.pill.worse,.pill.earns_less,.pill.do_not_trust,.pill.maybe_worse{color:var(--bad)}
    .pill.inconclusive,.pill.open,.pill.too_early,.pill.equivalent{color:var(--open)}.pill.described,.pill.badge{color:var(--plain)}
    .pill.default{color:var(--soft)}
    .print-only{display:none}.how{columns:2 24rem;column-gap:2rem;font-size:.9rem}.how>div{break-inside:avoid;padding:.1rem .4rem .4rem}.how>div:target{background:var(--panel)}

    """

  private static let decision = """
    .decision h2{margin:.6rem 0 .2rem;font-size:.95rem;color:var(--soft);font-weight:600}
    .calls{list-style:none;margin:0;padding:0}
    .calls li{margin:.4rem 0;padding:.45rem .9rem;border-left:5px solid var(--open);background:var(--panel);border-radius:0 .4rem .4rem 0}
    .calls p{margin:.1rem 0}.calls strong{font-size:1.2rem}.calls li:first-child strong{font-size:1.45rem}
    .calls .call-ship{border-color:var(--good)}.calls .call-ship strong{color:var(--good)}
    .calls .call-drop,.calls .call-do_not_trust{border-color:var(--bad)}.calls .call-drop strong,.calls .call-do_not_trust strong{color:var(--bad)}
    .calls .call-keep{border-color:var(--soft)}.calls .call-choose strong,.calls .call-measure strong,.calls .call-wait strong{color:var(--open)}
    .offerings{list-style:none;margin:.4rem 0;padding:0}.offerings li{padding:.15rem .7rem;border-left:5px solid var(--open)}
    .offerings a{margin-right:.6rem}.offerings b{font-weight:600}.offerings .call-ship{border-color:var(--good)}.offerings .call-ship b{color:var(--good)}
    .offerings .call-keep{border-color:var(--soft)}.offerings .call-drop,.offerings .call-do_not_trust{border-color:var(--bad)}
    .rest .calls strong,.rest .calls li:first-child strong{font-size:1rem}.rest .reason{display:inline}
    .calls li:nth-child(n+2) strong{font-size:1.05rem}.id{font-weight:400;font-size:.85rem}.fold{border-top:1px solid var(--line);margin:0}.fold>summary{padding:.55rem 0;color:var(--ink)}.fold>summary h2{display:inline;margin:0;font-size:1.05rem}.fold[open]{padding-bottom:1rem}
    .crowd li{padding:.05rem .9rem;margin:.2rem 0}.crowd li:nth-child(n+4) strong{font-size:1rem}.crowd li:nth-child(n+4) .reason{display:none}
    .alert{padding:.7rem .9rem;border:2px solid var(--bad);border-radius:.4rem}.alert strong{color:var(--bad);font-size:1.45rem;display:block}
    .obstacle{font-size:1.1rem}
    .facts span{margin-right:.7rem}.notes{margin:.3rem 0;max-width:44rem;font-size:.95rem}.ways a{margin-right:.5rem}
    bdi{unicode-bidi:isolate}td.marked bdi.long,tbody th bdi.long{word-break:break-all}tbody th .name{display:flex;align-items:baseline}tbody th .name bdi{min-width:0}
    .health{margin:.6rem 0}.health summary{font-size:.95rem;color:var(--ink)}
    .light{display:inline-block;width:.7em;height:.7em;border-radius:50%;background:var(--good);margin-right:.4em}
    .light.warn{background:var(--open)}.light.remark{background:var(--soft)}.light.fail{background:var(--bad)}
    .check{margin:.4rem 0;padding:.4rem .8rem;background:var(--panel);border-left:4px solid var(--good);font-size:.9rem}
    .check.warn{border-color:var(--open)}.check.remark{border-color:var(--soft)}.check.fail{border-color:var(--bad)}.check p{margin:.1rem 0}
    .questions dl{margin:0}.questions dl>div{margin:.6rem 0}dt{font-weight:600}dd{margin:.1rem 0}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.8rem}
    .card{border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}
    .card ul{list-style:none;margin:.4rem 0 0;padding:0}.card li{padding:.3rem 0;border-top:1px solid var(--line)}
    .price{font-weight:600;font-variant-numeric:tabular-nums}.small{display:block}
    .copy{margin:.2rem 0;font-size:.9rem}.copy dt{color:var(--soft);font-weight:400;font-size:.8rem}.copy dd{margin:0 0 .2rem}

    """

  private static let tables = """
    .figure{margin:.8rem 0 1.6rem}.multiples>*,.cards>*{min-width:0}table.dense{font-size:.75rem}table.dense th,table.dense td{padding:.2rem .25rem}.multiples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:.4rem 1.6rem}
    table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
    th,td{text-align:left;padding:.28rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
    th,td{overflow-wrap:break-word}tbody th{overflow-wrap:anywhere;min-width:8em}thead th{vertical-align:bottom;color:var(--soft);font-weight:600;font-size:.8rem}tbody th{font-weight:500}
    thead th.long{overflow-wrap:anywhere;white-space:normal;min-width:5rem}td.lift{font-weight:600}.count{display:block;color:var(--soft);font-size:max(.85em,12px)}th.number,td.number{text-align:right;white-space:nowrap}

    """

  private static let drawings = """
    svg.mark .tick{display:none}svg.mark,svg.scale,svg.bars{display:block;width:100%;min-width:9rem;height:22px;overflow:hidden}svg.scale{height:16px}
    td.drawn{white-space:nowrap}svg.bars{display:inline-block;vertical-align:-2px;width:calc(100% - 7.5rem);min-width:3rem;height:14px;margin-right:.5rem}
    table.stacked svg.bars{display:block;width:100%;margin:.25rem 0 0}
    tr.more-of-it>*{border-bottom:0}tr.again .name{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    svg text.tick{fill:var(--soft);font:12px system-ui,sans-serif}
    .grid{stroke:var(--line);stroke-width:1;fill:none}.zero{stroke:var(--soft);stroke-width:1.5;fill:none}
    .whisker{stroke:var(--open);stroke-width:3}.dot,.tip{fill:var(--open)}
    .better.whisker,.not_worse.whisker{stroke:var(--good)}.better.dot,.not_worse.dot,.better.tip,.not_worse.tip{fill:var(--good)}
    .worse.whisker,.maybe_worse.whisker,.do_not_trust.whisker{stroke:var(--bad)}
    .worse.dot,.maybe_worse.dot,.do_not_trust.dot,.worse.tip,.maybe_worse.tip,.do_not_trust.tip{fill:var(--bad)}
    .limit{stroke:var(--ink);stroke-width:2;stroke-dasharray:4 2;fill:none}
    .earns_more.whisker{stroke:var(--good)}.earns_more.dot,.earns_more.tip{fill:var(--good)}.earns_less.whisker{stroke:var(--bad)}.earns_less.dot,.earns_less.tip{fill:var(--bad)}
    .described.whisker{stroke:var(--plain)}.described.dot,.described.tip{fill:var(--plain)}
    .series-0{--c:var(--s0)}.series-1{--c:var(--s1)}.series-2{--c:var(--s2)}.series-3{--c:var(--s3)}\
    .series-4{--c:var(--s4)}.series-5{--c:var(--s5)}.series-rest{--c:var(--rest)}
    .bar{fill:var(--c)}.bar.precision{fill:var(--plain)}.bar.precision.reached{fill:var(--good)}.swatch{display:inline-block;width:.8em;height:.8em;border-radius:.2em;background:var(--c)}
    .chart{margin:.3rem 0}.legend{font-size:.8rem;color:var(--soft)}.legend span{display:inline-block;margin-right:.9rem}
    .plot{position:relative;padding:0 0 1.4rem 3.6rem}
    .curves{display:block;width:100%;height:150px}
    .curves *{vector-effect:non-scaling-stroke}
    .curve{fill:none;stroke:var(--c);stroke-width:2.5;stroke-linecap:round}.band{fill:var(--c);fill-opacity:.14;stroke:none}.edge{fill:none;stroke:var(--c);stroke-width:1}
    .y{position:absolute;left:0;top:0;width:3.3rem;height:150px}
    .y span{position:absolute;right:0;transform:translateY(-50%);font-size:12px;color:var(--soft);white-space:nowrap}
    .ends{position:absolute;right:0;top:0;width:5.8rem;height:150px}
    .ends span{position:absolute;left:0;transform:translateY(-50%);font-size:12px;color:var(--soft);white-space:nowrap}
    .x{position:absolute;left:3.6rem;right:0;bottom:0;height:1.2rem;font-size:12px;color:var(--soft)}
    .x span{position:absolute;white-space:nowrap;transform:translateX(-50%)}
    .x span:first-child:not(:only-child){transform:none}.x span:last-child:not(:only-child){transform:translateX(-100%)}
    svg,.swatch,.light{print-color-adjust:exact;-webkit-print-color-adjust:exact}

    """

  /// Wide tables become cards: a row a card, each cell with its heading in front.
  private static let phone = """
    @media screen and (max-width:52rem){body{padding:.8rem}.x span:nth-child(2):not(:last-child){display:none}
    table.wide,table.wide tbody,table.wide tr,table.wide th,table.wide td{display:block}
    table.wide thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    table.wide tr{padding:.4rem 0;border-bottom:1px solid var(--line)}table.wide tr.more-of-it{border:0}table.wide tr.again{padding-top:0}table.wide th,table.wide td{border:0;padding:.08rem 0}
    table.wide tbody th{font-weight:600}
    table.wide td,table.wide td.number{text-align:left}table.wide td::before{content:attr(data-label);color:var(--soft);unicode-bidi:isolate}table.wide .count{display:inline}
    table.wide td.none{display:none}
    table.wide td{display:inline-block;margin-right:.9rem;max-width:100%;overflow-wrap:anywhere}table.wide td.drawn{display:block;margin:0}table.wide td.bar-cell{white-space:normal}table.wide svg.bars{width:calc(100% - 13rem)}table.stacked svg.bars{display:inline-block}
    svg.mark{height:38px}svg.mark .tick{display:inline}.many li:nth-child(n+2) .reason{display:none}.many li{padding:.1rem .7rem;margin:.2rem 0}}

    """

  /// What holds the decision; the rest stays in the file.
  private static let paper = """
    @page{size:A4;margin:12mm}
    @media print{:root{font-size:9.5pt}body{max-width:none;padding:0;font-size:1rem}
    .more,details:not(.fold),.skip,.ways,.nights .numbers,.prices .figure~.figure table,.prices .note,.prices h3{display:none}.health details,.rest{display:block}details.fold::details-content{content-visibility:visible;block-size:auto}.fold>summary{list-style:none}.health summary,.rest summary{list-style:none}
    .print-only{display:block}.figure,.card,tr,li,.questions dl>div{break-inside:avoid}h2,h3{break-after:avoid}.figure:has(tbody tr:nth-child(9)){break-inside:auto}
    h2{margin:1rem 0 .3rem}.figure{margin:.4rem 0 .8rem}.curves,.y,.ends{height:100px}.prices .figure{margin:.2rem 0}
    .cards{grid-template-columns:repeat(3,1fr)}.x span:nth-child(2):not(:last-child){display:none}
    .multiples{display:block;orphans:1;widows:1}.cards{padding-right:1px}.multiples .figure{display:inline-block;vertical-align:top;width:48%;margin-right:1.5%}
    th,td{padding:.1rem .25rem}table{font-size:8pt}table.wide,thead th{font-size:7.5pt}td.text,tbody th{overflow-wrap:anywhere}}
    """

  /// Names without a blank may be broken, but not those of up to 16 letters; a scale's labels keep within the page.
  private static let longNames = """
    td.text{overflow-wrap:anywhere;min-width:9rem}td.marked{min-width:12.6rem}.multiples td.text{min-width:5rem}
    .multiples table.wide td,.multiples table.wide th{padding-left:.25rem;padding-right:.25rem}
    .plot{padding-left:4.1rem;padding-right:6.1rem}.y{width:3.8rem}.x{left:4.1rem;right:6.1rem}
    @media screen and (max-width:52rem){td.text,td.marked{min-width:0}}
    @media print{td.text,td.marked{min-width:4rem}.plot{padding-left:66px;padding-right:98px}.y{width:61px}.x{left:66px;right:98px}.ends{width:93px}}

    """
}
