/// The guide for product leads: what the report's words mean and what they are good for.
///
/// The report carries it, so that it works in a mail; `jobs/guide.md` holds the same text.
package enum Guide {
  /// The whole text in Markdown: a heading of the first level, sections of the second, paragraphs, lists and bold words.
  package static let markdown = """
    # Reading the report

    Two pages for whoever decides about a test. No formulas.

    ## The sentence on top
    Every night the page begins with a call of at most four short sentences. They say what to do, what was seen, what to
    expect of it, and how sure it is. It compares each group with the one you have now (the **baseline**, often called
    control). Groups that are called alike share one box. If a check failed, that comes first, and there is no verdict
    to act on.

    The call rests on the metrics that the job calls **primary**, and on nothing else: money per user, say. Where groups
    sell at different prices money per user leads. That fewer people pay a higher price is what a price does; the money
    counts it already. There are eight calls:

    - **Ship** new: it is better, and what must hold holds. "Ship new_price. In 7 days users brought 1.51 USD instead of
      1.00 (+51 %, 31 to 73 %). Expect about +38 % to last: some 1,690 USD a month at 142 new users a day. Chance that it is
      better: over 99 %."
    - **Drop** new: it is shown to be worse. Nothing else is ever dropped. "Drop long_trial. In 30 days 6.1 % of users paid
      instead of 8.0 % (−24 %, −33 to −14 %)."
    - **Choose**: it gains here and loses there, or something that must hold is not shown to. Both sides stand side by
      side, and what counts more is yours to say. "Refunded charges went from 6.4 % to 20.3 %: ship new only if that is
      worth it."
    - **Keep** what you have, for now: nothing is shown. "Keep control for now. In 30 days users brought 0.56 USD instead of
      0.60 (−6.7 %, −19 to +8.1 %)." Where another group won it says so: "a won; b is not shown to differ from control."
    - **End**: keep what you have, for good. The plan is complete, or nobody joins any more and all windows are over, and no
      difference was shown. "End: keep control. The plan is complete and no difference was shown; anything above 12 % would
      very likely have been."
    - **Wait**: too early, and more data will come. "Wait for new. Too early: the smallest group has 60 users whose time is
      over; 100 are needed."
    - **Measure** revenue first: prices differ, and the job counts no money. "Measure revenue before deciding on new."
    - **Do not act on this**: a check failed.

    ## What to expect Chance helps to choose what is ahead on the day you look. Whoever ships the first group that is
    better and promises what was measured promises about twice what comes. So the money and the months are what to
    **expect**: the measured lift drawn towards nothing. It is drawn more where it is less sure, and where tests like
    yours move little. How much they move is the job's own word, else what ten or more ended tests showed, half of what
    the prices differ by, or 15 %. The page says which. Most tests move little and some a lot, so a large lift that is
    well measured is believed. What was **measured** stays beside it. Whether there is a difference is decided by what
    was measured alone.

    ## However often you look
    Whoever looks at a test every morning and stops on the first good one will be fooled. Chance alone produces a good
    morning sooner or later. Read like that, an ordinary "95 % sure" is wrong about one time in four over a month.

    Offerlift's decisions are made for being looked at every day. Its intervals are wider, by as much as all that
    looking costs. In return you may look as often as you like and act on the first day it says **better** or **worse**.
    Of 100 tests of two equal groups, read every night, at most 5 are ever called.

    A call that was made stays made: whoever acts on the first day does not read "keep" the next. Later nights say since when
    it stands, and what was measured since. It is taken back only where the opposite is shown, a check fails, or the data of
    that time changes.

    ## Say when it ends
    A test that may be read for ever has to be careful for ever. Say in the job when yours ends, and it finds far more:
    `plan: {nights: 28}` or `plan: {users: 40000}`. Take tests with 20,000 users a group, 5 % of whom pay, and 20 % more
    money per user in one. In four weeks about 80 in 100 are shipped with a plan, about 46 without. You may still read it
    every night. Before the end only a very clear difference is called, on the last night any that is shown. Later nights
    count only if they are very clear.

    A test that is read at a few dates only takes `decide_by: group_sequential` with `looks: [0.25, 0.5, 0.75, 1]`,
    parts of the plan, or dates. Between them nothing is decided.

    Make the plan before you look. One that was made or changed after nights had been published is named on the page for good.
    `offerlift power` says how long a plan has to be. Whole weeks are best, and nothing is called better in the first seven
    days, for people buy otherwise at weekends.

    Figures marked "for a single look" are for one reading at a time settled before. Do not act on them at a daily
    look.

    ## The interval
    "(+94 %, 42 to 174 %)" means: 94 % more was seen, and anything from 42 to 174 % would fit what was seen. The last two
    numbers are the interval. Three readings that help:

    - Look at the lower end before you ship. Would you ship for that alone?
    - An interval that holds 0 means that no difference is shown yet. It does not mean that there is none.
    - Intervals shrink as users come. To halve one takes about four times as many users.

    ## How precise the test is
    "With today's users it reliably sees 56 % or more" means: a true difference of 56 % would be found four times in
    five, a smaller one less often. With a plan, a bar for each primary metric says how far that is from the size asked
    for: its margin, or 10 %. It says nothing about which group is ahead. A bar that will not fill in time is a reason
    to look for larger changes, not to look harder.

    ## Better, worse, higher, lower
    **Better** and **worse** are decisions: the interval leaves out 0, and the metric's goal says which way is
    good. Fewer refunds are better. **Higher** and **lower** only describe metrics that nobody has set a goal for.
    They are no reason to act.

    ## Shares of those who did something
    "Of those who began a trial, half paid" compares different people. A page that wins 400 curious trials more turns fewer
    of its trials into subscriptions, though nobody does worse. So such a share is only described. What is decided
    in its place counts everybody: of all users, how many pay after a trial. The same goes for money per paying user,
    for renewals, refunds per charge and for how long subscribers stay. The page says both: "15.1 % of users paid after a
    trial instead of 9.9 %", and under it "Of those whose trial is over: 50 % instead of 66 %."

    ## Nothing shown yet
    **Inconclusive** says that the interval still holds 0: the groups may be alike, or the test is too small for their
    difference. The page says how small a difference it can see by now. Keep what you have, and either wait or accept that
    the difference is too small to matter.

    ## Too early
    Too few users have had their full time, or too few have paid, for any figure to mean something. A 30-day
    metric counts a user only 30 days after joining the test, in every group alike. So early and late users are compared
    fairly. Do not read the figures; wait.

    ## Equivalent
    Somebody said beforehand which difference would not matter (the **margin**, 2 % say), and the whole interval
    lies within it. That is a finding: the groups are as good as equal, and you may choose by something else.
    **Not worse** says the same one way only, of a metric that is watched for harm and not hoped for.

    ## Why a winner on conversion can lose money
    A cheaper price nearly always sells more often. If 10 of 100 users buy for 10 dollars you earn 100; if 12 buy
    for 7 you earn 84. Conversion rose by a fifth, and you lost a sixth of your money. The other way round a
    dearer plan may convert fewer and earn more. So where groups sell at different prices, money per user comes
    first, and it counts everybody, those who paid nothing too.

    Money goes on after the first sale. Trials turn into charges later or never, refunds come weeks after,
    subscribers who came for a discount may leave sooner. Read **proceeds** (what is left after refunds, tax and
    the store's share) over the longest window that has ended, and look at who still subscribes.

    ## What the price does
    A rise of 20 % is eaten when a sixth of the payers go: 100 at 10 bring as much as 83 at 12. That is the
    **break-even**, and the page draws it beside the interval of the payers. It counts first charges and leaves renewals
    out, so it settles something only where the call says the same. What a charge costs you, tax and
    the store's part move it, where the job and the products table tell them. The **elasticity** says by how many
    percent fewer pay for each percent of price: below −1 a rise loses more than it brings.

    Below it stands what moved the money: how many pay, what they choose, what it costs, how often they are charged,
    what they take back. The parts add up to the whole difference. It is of first payments that the break-even
    speaks; renewals are in the parts.

    ## Do not act on this
    A check failed, so the figures may be wrong, all of them, whatever they say. A decision taken on them is a
    decision taken on nothing. The page names the check and what was found. Give it to whoever runs the job; every
    night is measured anew, so nothing is lost once it is put right.

    ## When users did not fall into groups as planned
    Users are put into groups by lot. If half were to see each, and 2,341 against 2,019 did, that is no luck:
    somebody or something sorted them. The new page may have crashed for some, a redirect may have lost others,
    robots may have been counted. Whoever is missing is missing for a reason, and that reason, not the price, may
    be what you see in the revenue. This is the **sample-ratio** check, the most important one there is. Never
    correct for it by hand; find the cause, mend it, and start the test again.

    ## When groups did not join at the same time
    A new page may first be shown to 1 of 100 users and a week later to half. Or a third group may join after a month. Its
    users are then younger than the others': their refunds have not come yet, and slow days count for less
    in it. A group that is better on every single day may look worse over all of them, and the other way round. The
    check **sample ratio over time** sees this, and the page then has no verdict. Tell whoever runs the job when the shares
    were changed. Once their dates stand there, users are compared with those who joined at the same time, and the verdict
    comes back.

    The same goes for devices and countries. Of two equal groups one may hold twice as many phones, the other twice as many
    tablets. Each segment is looked at for that.

    ## Segments
    Countries, platforms and other segments are there to understand a result, not to find one. With twenty
    segments one will look good by chance. If a segment surprises you, test it: a new test, on that segment alone.

    ## Before you start a test
    - Say what you will decide by: one primary metric, money per user where prices differ, and which difference is worth
      having. What must not suffer is a guardrail: with `margin: 0.1` it has to be shown not to be worse by 10 %. Without a
      margin it warns where harm is shown. Small margins take very many users.
    - Say when it ends: `plan: {nights: 28}`.
    - Ask how long it takes: `offerlift power`. A test that needs a year to see the difference you care about is
      not worth starting.
    - Let it run for whole weeks. People buy otherwise on Sundays.

    """

  /// Its sections, in order.
  static var sections: [GuideSection] {
    markdown.components(separatedBy: "\n## ").dropFirst().map { GuideSection($0) }
  }
}
