extension PageTemplate {
  /// All jobs and nights.
  static let index = PageTemplate(
    title: "All tests",
    body: """
      <header><h1>All tests</h1></header>
      <main>
      {{#isEmpty}}<p>No night has been published yet.</p>{{/isEmpty}}
      {{#jobs}}
      <section class="job" aria-label="{{job}}">
      <h2><a href="{{link}}">{{job}}</a> <span class="when">night of {{latest}}</span></h2>
      <ul class="calls">{{#offerings}}<li class="call-{{kind}}"><p><a href="{{link}}"><strong>{{line}}</strong></a> <span class="reason">{{reason}}</span></p></li>{{/offerings}}</ul>
      {{#hasMore}}<p class="facts">{{more}}</p>{{/hasMore}}
      <p class="facts"><span class="light {{status}}"></span>{{health}} {{freshness}}</p>
      <ul class="strip" aria-label="Nights of {{job}}, newest first">
      {{#nights}}<li><a class="night night-{{kind}}" href="{{link}}">{{name}}<span class="unseen">, {{words}}</span></a></li>
      {{/nights}}
      </ul>
      {{#hasEarlier}}<details><summary>Earlier nights</summary><ul class="strip">
      {{#earlier}}<li><a class="night night-{{kind}}" href="{{link}}">{{name}}<span class="unseen">, {{words}}</span></a></li>
      {{/earlier}}
      </ul></details>{{/hasEarlier}}
      {{#hasGone}}<p class="facts">{{gone}}</p>{{/hasGone}}
      </section>
      {{/jobs}}
      </main>

      """)
}

extension PageStyle {
  /// What the index has beside the report's looks.
  static let index = """
    .job{border-top:1px solid var(--line);padding:.4rem 0}.job h2{margin:.4rem 0}.job .when{font-weight:400;margin-left:.5rem}
    .calls li:first-child strong,.calls strong{font-size:1.1rem}
    .strip{list-style:none;margin:.4rem 0;padding:0;display:flex;flex-wrap:wrap;gap:.3rem}
    .night{display:block;font-size:.78rem;padding:.15rem .5rem;border:1px solid var(--line);border-bottom:3px solid var(--soft);border-radius:.3rem;\
    color:var(--ink);text-decoration:none}
    .night-ship{border-bottom-color:var(--good)}.night-drop,.night-do_not_trust{border-bottom-color:var(--bad)}
    .night-choose,.night-measure,.night-wait{border-bottom-color:var(--open)}.calls a{text-decoration:none;color:inherit}.calls a:hover{text-decoration:underline}
    """
}
