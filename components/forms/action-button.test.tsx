import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ActionButton } from './action-button'

const buttonOf = (disabled?: boolean) => {
  const html = renderToStaticMarkup(
    <ActionButton
      action={async (state) => state}
      done="Done"
      {...(disabled === undefined ? {} : { disabled })}
    >
      Run
    </ActionButton>,
  )
  return /<form[^>]*>.*(<button[^>]*>)Run/.exec(html)?.[1]
}

it('an action button with nothing to do stays in its form, but is disabled', () => {
  expect(buttonOf(true)).toContain(' disabled=""')
  expect(buttonOf(false)).not.toContain(' disabled=""')
  expect(buttonOf()).not.toContain(' disabled=""')
})
