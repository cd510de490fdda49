/**
 * Buttons that copy the code beside them, on pages that go without scripts otherwise: one with `data-copies` takes the text of
 * the `<pre>` in its figure. Bundled to /copy.js.
 */
document.addEventListener('click', async (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-copies]')
  const code = button?.closest('figure')?.querySelector('pre')?.textContent
  if (!button || !code) return
  await navigator.clipboard.writeText(`${code}\n`)
  const said = button.querySelector('[role="status"]') as HTMLElement
  button.dataset.copied = ''
  said.textContent = 'Copied'
  setTimeout(() => {
    delete button.dataset.copied
    said.textContent = ''
  }, 2000)
})
