/**
 * Adds copying to code blocks on pages without other scripts: a button with `data-copies` copies the text of
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
