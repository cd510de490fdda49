import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { sayIn } from '@/lib/base/language/say'
import { ReachPicker } from './reach-picker'

const say = sayIn('en')

const drawn = (error?: string) =>
  renderToStaticMarkup(
    <ReachPicker
      say={say}
      appName="Television"
      asked={{ workspace: 'VIEWER', project: undefined }}
      workspaces={[
        {
          options: Array.from({ length: 8 }, (_, at) => ({
            id: `w${at}`,
            name: `Workspace ${at}`,
            own: 'ADMIN' as const,
            closed: at === 0,
          })),
        },
      ]}
      error={error}
      empty={null}
    />,
  )

/** Returns the tags that have an attribute. */
const tagsWith = (html: string, attribute: RegExp) =>
  (html.match(/<\w+[^>]*>/g) ?? []).filter((tag) => attribute.test(tag))

it('if no resource was selected, the resource picker focuses the first enabled checkbox, and the group of checkboxes refers to the error', () => {
  const html = drawn('Choose a workspace to continue.')
  const focused = tagsWith(html, /autofocus/i)
  expect(focused).toHaveLength(1)
  expect(focused[0]).toContain('id="w1"')
  expect(tagsWith(html, /aria-describedby="reach-error"/)[0]).toMatch(/^<fieldset/)
  expect(tagsWith(drawn(), /autofocus/i)).toEqual([])
})

it('the resource picker describes its keyboard controls to screen readers, and has a status for a search without matches', () => {
  const html = drawn()
  expect(tagsWith(html, /aria-describedby="reach-keys"/)[0]).toContain('data-reach-search')
  expect(html).toContain(`id="reach-keys" hidden="">${say('reach.keys')}`)
  expect(html).toMatch(/<div role="status"><p data-reach-none="true" hidden=""/)
})
