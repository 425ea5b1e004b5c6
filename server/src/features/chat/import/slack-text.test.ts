import { describe, expect, it } from 'vitest'
import { slackText } from './slack-text.ts'

const people: Record<string, { name: string; id: string | undefined }> = {
  U1: { name: 'Ada', id: '42' },
  U2: { name: 'Gone', id: undefined },
}
const personOf = (key: string) => (Object.hasOwn(people, key) ? people[key] : undefined)

describe('the markup of Slack', () => {
  it.each([
    ['Lunch, <@U1>?', 'Lunch, <@42>?'],
    ['<@U2> and <@U2|gone> and <@U3>', '@Gone and @gone and @U3'],
    ['<#C1|general> <!here> <!subteam^S1|@devs>', '#general @here @devs'],
    ['<https://a.example/?a=1&amp;b=2>', 'https://a.example/?a=1&b=2'],
    ['<https://a.example|the [page]>', '[the page](https://a.example)'],
    ['<mailto:ada@a.example|ada@a.example>', 'ada@a.example'],
    ['*bold* and _italic_ and ~gone~', '**bold** and _italic_ and ~~gone~~'],
    ['2*3*4 and `*code*` and ```*more*```', '2*3*4 and `*code*` and ```*more*```'],
    [
      'ok :smile::+1::skin-tone-2: `:smile:` :our_logo: 10:100:20',
      'ok 😄👍🏻 `:smile:` :our_logo: 10:100:20',
    ],
    ['<https://a.example/:smile:|see :smile:>', '[see :smile:](https://a.example/:smile:)'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['&lt;@42&gt; <@42 &lt;@room&gt; &amp;lt;@7&amp;gt;', '@42> @42 @room> &lt;@7&gt;'],
  ])('%s', (given, expected) => {
    expect(slackText(given, personOf)).toBe(expected)
  })

  it('takes time in proportion to a text that is made to be slow', () => {
    for (const made of ['*a ', '<', '```', '`', '<@', '~ (', '&lt;', ':a', '::'])
      expect(slackText(made.repeat(20_000), personOf).length).toBeGreaterThan(0)
  })
})
