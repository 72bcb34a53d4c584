extension PageTemplate {
  /// The report of a night.
  static let report = PageTemplate(
    title: "{{job}}, night of {{night}}",
    body: """
      <a class="skip" href="#decision">To the decision</a>
      {{> nightHeader}}
      <main>
      <section class="decision" id="decision" aria-label="What to do">
      {{#decisions}}{{> decision}}{{/decisions}}
      {{^hasDecisions}}<p class="obstacle">No offering has users yet.</p>{{/hasDecisions}}
      </section>
      {{#health}}{{> health}}{{/health}}
      {{#sections}}{{> offering}}{{/sections}}
      {{> rows}}
      {{> guide}}
      {{> methods}}
      <p class="print-only">The figures by segment, funnel, product and state stand in report.html.</p>
      </main>

      """,
    partials: partials)

  /// The first page of a night with many offerings: a line each, and where the rest of it stands.
  static let reportOfMany = PageTemplate(
    title: "{{job}}, night of {{night}}",
    body: """
      <a class="skip" href="#decision">To the decisions</a>
      {{> nightHeader}}
      <main>
      <p class="lead">{{counts}}</p>
      {{#hasPast}}<p class="facts past">{{past}}</p>{{/hasPast}}
      {{#health}}{{> health}}{{/health}}
      <section class="decision" id="decision" aria-label="What to do">
      <ol class="offerings">
      {{#lines}}<li id="offering-{{number}}" class="call-{{kind}}"><a href="{{page}}"><bdi>{{offering}}</bdi></a> <b>{{call}}</b></li>
      {{/lines}}</ol>
      </section>
      <p class="facts">{{enrolment}} {{expectation}}{{#isExpected}} <a class="ways" href="{{methodsPage}}#how-expected">How this is computed</a>{{/isExpected}}</p>
      {{> rows}}
      {{> guide}}
      {{> methods}}
      </main>

      """,
    partials: partials)

  /// The page of one of many offerings.
  static let offeringPage = PageTemplate(
    title: "{{offering}}, {{job}}, night of {{night}}",
    body: """
      <a class="skip" href="#decision">To the decision</a>
      <header>
      <h1><bdi>{{offering}}</bdi></h1>
      <p class="when"><bdi>{{job}}</bdi>, night of {{night}}, everything before {{cutoff}} UTC, money in {{currency}}. <span class="ways"><a href="{{firstPage}}">All offerings</a></span></p>
      </header>
      <main>
      <section class="decision" id="decision" aria-label="What to do">
      {{#decision}}{{> decision}}{{/decision}}
      </section>
      <p class="facts"><span class="light {{status}}"></span><a href="{{firstPage}}#health">{{health}}</a></p>
      {{#section}}{{> offering}}{{/section}}
      <p class="print-only">The figures by segment, funnel, product and state stand in the page itself.</p>
      </main>

      """,
    partials: partials)

  private static let partials = [
    "nightHeader": nightHeader, "decision": decision, "health": health, "offering": offering, "rows": rows,
    "guide": guide, "methods": methods, "figure": figure,
  ]

  /// Which night it is, and where the others are.
  private static let nightHeader = """
    <header>
    <h1>{{job}}</h1>
    <p class="when">Night of {{night}}, everything before {{cutoff}} UTC, money in {{currency}}. <span class="ways"><a href="../../index.html">All tests</a> <a href="results.xlsx">Workbook</a></span></p>
    {{#notes}}<p class="notes" dir="auto">{{text}}</p>{{/notes}}
    </header>

    """

  /// What became of the rows of each file.
  private static let rows = """
    <details class="fold more"><summary><h2>Where did the rows go?</h2></summary>
    {{#rows}}{{> figure}}{{/rows}}
    </details>

    """

  private static let guide = """
    <details class="fold more" id="guide"><summary><h2>How do I read this page?</h2></summary>
    <p class="lead">{{reading}}</p>
    {{#guide}}<details id="{{anchor}}"><summary>{{title}}</summary>{{#paragraphs}}<p>{{#isItem}}• {{/isItem}}{{#pieces}}{{#isBold}}<b>{{text}}</b>{{/isBold}}{{^isBold}}{{text}}{{/isBold}}{{/pieces}}</p>{{/paragraphs}}</details>
    {{/guide}}
    </details>

    """

  /// Where the figures' links lead; open, so that a link shows what it leads to.
  private static let methods = """
    <details class="fold more" id="methods"><summary><h2>How is it computed?</h2></summary>
    <p class="lead">In a few sentences. The formulas, where they are from and the tests that hold them stand in jobs/methods.md of the program.</p>
    <div class="how">{{#methods}}<div id="{{anchor}}"><h3>{{title}}</h3><p>{{text}}</p></div>
    {{/methods}}</div>
    </details>

    """

  /// What to do about one offering.
  private static let decision = """
    {{^isAlone}}<h2 id="offering-{{number}}"><bdi>{{offering}}</bdi>{{#isNamed}} <span class="id"><bdi>{{id}}</bdi></span>{{/isNamed}}</h2>{{/isAlone}}
    {{#isUntrusted}}<p class="alert"><strong>Do not act on this.</strong> {{obstacle}}</p>{{/isUntrusted}}
    {{^isUntrusted}}{{#hasObstacle}}<p class="obstacle">{{obstacle}}</p>{{/hasObstacle}}{{/isUntrusted}}
    <ul class="calls{{#isMany}} many{{/isMany}}{{#isCrowd}} crowd{{/isCrowd}}">
    {{#calls}}<li class="call-{{kind}}"><p><strong>{{call}}</strong> <span class="reason">{{reason}}</span></p></li>
    {{/calls}}
    </ul>
    {{#hasRest}}<details class="rest"><summary>{{restWords}}</summary><ul class="calls">
    {{#rest}}<li class="call-{{kind}}"><p><strong>{{call}}</strong> <span class="reason">{{reason}}</span></p></li>
    {{/rest}}</ul></details>{{/hasRest}}
    <p class="facts dates">{{dates}}</p>
    {{#hasUsers}}<p class="facts">Users: {{#users}}<span><bdi>{{group}}</bdi> <b>{{users}}</b></span> {{/users}}{{crowd}} {{counted}}</p>{{/hasUsers}}
    {{#hasPast}}<p class="facts past">{{past}}</p>{{/hasPast}}
    <p class="facts">{{note}}{{#isSaid}} <a href="{{guidePage}}#guide">How to read this</a>{{/isSaid}}</p>

    """

  /// Whether to believe it: what failed stands open, the rest opens on a click.
  private static let health = """
    <section class="health" id="health" aria-label="May I trust it?">
    {{#failed}}<div class="check fail"><strong>{{name}} failed</strong>{{#findings}}<p>{{message}}</p>{{/findings}}{{#hasRest}}<p>{{rest}}</p>{{/hasRest}}</div>
    {{/failed}}
    <details>
    <summary><span class="light {{status}}"></span>{{line}} {{freshness}}</summary>
    {{#others}}<div class="check {{status}}"><strong>{{name}}</strong>{{#findings}}<p>{{message}}</p>{{/findings}}{{#hasRest}}<p>{{rest}}</p>{{/hasRest}}</div>
    {{/others}}
    <p class="note"><a href="#how-checks">How checks are computed</a></p>
    </details>
    </section>

    """

  /// One offering's figures, folded under the questions that people ask.
  private static let offering = """
    <article aria-label="{{offering}}">
    {{#isOneOfMany}}<h2 class="of"><bdi>{{offering}}</bdi></h2>{{/isOneOfMany}}
    <details class="fold main"{{#isOpen}} open=""{{/isOpen}}><summary><h2>How large is the difference?</h2></summary>
    {{#primary}}{{> figure}}{{/primary}}{{#known}}<p class="lead">{{text}}</p>{{/known}}{{#precision}}{{> figure}}{{/precision}}
    <p class="facts">{{enrolment}} {{expectation}}{{#isExpected}} <a class="ways" href="{{methodsPage}}#how-expected">How this is computed</a>{{/isExpected}}</p>
    </details>
    {{#hasPrices}}<details class="fold main prices"><summary><h2>What does the price do?</h2></summary>
    {{#prices}}{{> figure}}{{/prices}}
    </details>{{/hasPrices}}
    {{#hasQuestions}}<details class="fold questions"><summary><h2>Your questions</h2></summary>
    <dl>{{#questions}}<div><dt dir="auto">{{ask}}</dt>{{#sentences}}<dd>{{text}}</dd>{{/sentences}}</div>{{/questions}}</dl>
    </details>{{/hasQuestions}}
    {{#hasCards}}<details class="fold saw"><summary><h2>What did users see?</h2></summary>
    <div class="cards">{{#cards}}<div class="card"><h3><i class="swatch {{style}}"></i>&#160;<bdi>{{group}}</bdi></h3>
    {{#hasCopy}}<dl class="copy">{{#copy}}<div><dt>{{field}}</dt><dd dir="auto">{{text}}</dd></div>{{/copy}}</dl>{{/hasCopy}}
    <ul>{{#products}}<li><span class="price"><bdi>{{price}}</bdi></span> <span class="product"><bdi>{{product}}</bdi></span> {{#isDefault}}<b class="pill default">default</b> {{/isDefault}}{{#hasBadge}}<b class="pill badge"><bdi>{{badge}}</bdi></b>{{/hasBadge}} <span class="small"><bdi>{{details}}</bdi></span></li>{{/products}}</ul>
    </div>{{/cards}}</div>
    </details>{{/hasCards}}
    {{#money}}<details class="fold main"><summary><h2>Where does the money go?</h2></summary>
    {{> figure}}
    </details>{{/money}}
    {{#hasChanges}}<details class="fold since"><summary><h2>What changed since the night of {{since}}?</h2></summary>
    {{#changes}}{{> figure}}{{/changes}}
    </details>{{/hasChanges}}
    {{#hasNights}}<details class="fold nights"><summary><h2>How did it come, night by night?</h2></summary>
    <div class="multiples">{{#nights}}{{> figure}}{{/nights}}{{#arrivals}}{{> figure}}{{/arrivals}}</div>
    </details>{{/hasNights}}
    <details class="fold more"><summary><h2>Who differs, and what else was measured?</h2></summary>
    {{#more}}{{> figure}}{{/more}}
    </details>
    </article>

    """

  private static let figure = """
    <div class="figure">
    {{#hasTitle}}<h3>{{title}}</h3>{{/hasTitle}}
    <p class="lead">{{lead}}</p>
    {{{drawing}}}
    {{{tables}}}
    <p class="note">{{note}} <a class="ways" href="{{methodsPage}}#{{method}}">How this is computed<span class="unseen">: {{title}}</span></a></p>
    </div>

    """
}
