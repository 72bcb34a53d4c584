import Domain
import Engine

/// The page's skeleton and its looks. Text is escaped where it is put in, except drawings, which are ours.
enum ReportTemplate {
  static let page = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <title>{{job}}, night of {{night}}</title>
    <style>{{{style}}}</style>
    </head>
    <body>
    <a class="skip" href="#verdicts">To the verdicts</a>
    <header>
    <h1>{{job}}</h1>
    <p>Night of {{night}}: everything before {{asOf}}, money in {{currency}}. {{reading}}</p>
    </header>
    <main>
    <section aria-labelledby="health">
    <h2 id="health">May the figures be believed?</h2>
    {{#isHealthy}}<p class="check pass">Every check passed.</p>{{/isHealthy}}
    <ul class="checks">
    {{#troubles}}
    <li class="check {{status}}"><strong>{{status}}</strong> <b>{{name}}</b>{{#hasPlace}} ({{place}}){{/hasPlace}}: {{message}}</li>
    {{/troubles}}
    </ul>
    <details><summary>What passed</summary>
    <ul class="checks">
    {{#passed}}
    <li class="check pass"><strong>pass</strong> <b>{{name}}</b>{{#hasPlace}} ({{place}}){{/hasPlace}}: {{message}}</li>
    {{/passed}}
    </ul>
    </details>
    </section>
    <div id="verdicts">
    {{#offerings}}
    <section class="offering">
    <h2>{{offering}} <span class="verdict {{decision}}">{{decisionWords}}</span></h2>
    <p class="sentence">{{sentence}}</p>
    {{#hasQuestions}}
    <h3>Questions</h3>
    {{#questions}}
    <section class="question"><h4>{{ask}}</h4>
    {{#answers}}{{> figure}}{{/answers}}
    </section>
    {{/questions}}
    {{/hasQuestions}}
    {{#figures}}{{> figure}}{{/figures}}
    </section>
    {{/offerings}}
    </div>
    <section class="offering"><h2>Rows</h2>
    {{#setAside}}{{> figure}}{{/setAside}}
    </section>
    </main>
    </body>
    </html>

    """

  static let figure = """
    <figure>
    <figcaption>{{title}}</figcaption>
    {{#hasDrawing}}{{{svg}}}{{/hasDrawing}}
    {{#isFolded}}<details><summary>The numbers</summary>{{/isFolded}}
    <div class="scroll" tabindex="0" role="region" aria-label="{{title}}, numbers"><table>
    <thead><tr>{{#headings}}<th scope="col">{{text}}</th>{{/headings}}</tr></thead>
    <tbody>
    {{#rows}}
    <tr><th scope="row">{{head}}</th>{{#cells}}<td{{#isNumber}} class="number"{{/isNumber}}>{{text}}</td>{{/cells}}</tr>
    {{/rows}}
    </tbody>
    </table></div>
    {{#isFolded}}</details>{{/isFolded}}
    <p class="note">{{note}}</p>
    </figure>

    """

  static let style = """
    :root{--ink:#1c2430;--soft:#5c6675;--line:#d9dee6;--paper:#fff;--panel:#f6f8fa;--good:#1a7f4b;--bad:#b3261e;\
    --open:#8a5a00;--s0:#3867d6;--s1:#e07b1f;--s2:#2a9d8f;--s3:#8e44ad;--s4:#c0396b;--s5:#6b7a1e}
    @media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3adba;--line:#3a4452;--paper:#12171e;\
    --panel:#1b222c;--good:#5ad19a;--bad:#ff8a80;--open:#f0b95a;--s0:#7da2ff;--s1:#ffb066;--s2:#5fd3c4;\
    --s3:#c79bea;--s4:#ff8fb8;--s5:#c3d166}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--paper);color:var(--ink);\
    font:16px/1.5 system-ui,sans-serif}
    h1{margin:0}h2{margin:2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
    h3{margin:1.5rem 0 .5rem}h4{margin:1rem 0 .2rem}
    .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;background:var(--paper);padding:.5rem}
    .verdict{font-size:.8em;padding:.1em .6em;border-radius:1em;border:1px solid currentColor;white-space:nowrap}
    .better,.not_worse,.pass strong{color:var(--good)}.worse,.do_not_trust,.maybe_worse,.fail strong{color:var(--bad)}
    .inconclusive,.too_early,.equivalent,.warn strong{color:var(--open)}
    .sentence{font-size:1.1em}
    .checks{list-style:none;padding:0}.check{margin:.3rem 0;padding:.4rem .7rem;background:var(--panel);\
    border-left:4px solid var(--line);overflow-wrap:anywhere}
    .check.fail{border-color:var(--bad)}.check.warn{border-color:var(--open)}.check.pass{border-color:var(--good)}
    .check strong{text-transform:uppercase;font-size:.8em}
    figure{margin:1rem 0 1.8rem}figcaption{font-weight:600;margin-bottom:.3rem}.note{color:var(--soft);font-size:.85em;margin:.3rem 0}
    .note:empty{display:none}
    svg{width:100%;height:auto;display:block}
    svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg .tick{fill:var(--soft);font-size:11px}
    .grid{stroke:var(--line);stroke-width:1}.zero{stroke:var(--soft);stroke-width:1.5}
    .whisker{stroke:var(--ink);stroke-width:2.5;opacity:.75}.dot{stroke:var(--paper);stroke-width:1;fill:var(--ink)}
    .whisker.better,.whisker.not_worse{stroke:var(--good)}.dot.better,.dot.not_worse{fill:var(--good)}
    .whisker.worse,.whisker.do_not_trust,.whisker.maybe_worse{stroke:var(--bad)}
    .dot.worse,.dot.do_not_trust,.dot.maybe_worse{fill:var(--bad)}
    .curve{fill:none;stroke-width:2.5}.band{opacity:.15;stroke:none}
    .bar,.swatch{stroke:none}
    .series-0{--c:var(--s0)}.series-1{--c:var(--s1)}.series-2{--c:var(--s2)}.series-3{--c:var(--s3)}\
    .series-4{--c:var(--s4)}.series-5{--c:var(--s5)}
    .curve{stroke:var(--c)}.band,.bar,.swatch,.dot[class*=series]{fill:var(--c)}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:.88em;font-variant-numeric:tabular-nums}
    th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
    tbody th{font-weight:500}.number{text-align:right;white-space:nowrap}
    summary{cursor:pointer;color:var(--soft)}
    :focus-visible{outline:2px solid var(--s0);outline-offset:2px}
    @media print{body{max-width:none;padding:0;font-size:11pt}figure,.check,tr{break-inside:avoid}.skip{display:none}}
    """
}
