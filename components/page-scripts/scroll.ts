/**
 * The boxes around tables (components/ui/table.tsx). One whose table is wider than it is a stop of the Tab key, so that the arrow
 * keys scroll it, and a group that says so; any other is neither, and a listener meets the table alone. Without this script
 * each may scroll. Bundled to /scroll.js. See ADR 0039.
 */
const asSent = { role: 'group', tabindex: '0', 'aria-label': 'Scrolls sideways' }

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => target.closest('[data-scrolls]')))) {
    if (!box) continue
    const scrolls = box.scrollWidth > box.clientWidth
    for (const [name, value] of Object.entries(asSent))
      if (scrolls) box.setAttribute(name, value)
      else box.removeAttribute(name)
  }
})

const known = new WeakSet<Element>()
function watch(): void {
  for (const box of document.querySelectorAll('[data-scrolls]')) {
    if (known.has(box)) continue
    known.add(box)
    sizes.observe(box)
    for (const table of box.children) sizes.observe(table)
  }
}

// Where React runs as well, tables come with other pages and after a search.
new MutationObserver(watch).observe(document, { childList: true, subtree: true })
watch()
