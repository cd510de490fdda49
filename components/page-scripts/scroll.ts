/**
 * Limits keyboard scrolling to the boxes whose tables (components/ui/table.tsx) are too wide. A box is a tab
 * stop and a labeled group only if its table is wider than the box. If the table fits, screen readers find
 * only the table. Without this script, every box is a tab stop and a labeled group. The script also marks the
 * boxes whose tables fit. The headers of these tables stay in view while the page scrolls (globals.css).
 * Bundled to /scroll.js.
 */
const asSent = { role: 'group', tabindex: '0', 'aria-label': 'Scrolls sideways' }

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => target.closest('[data-scrolls]')))) {
    if (!box) continue
    const scrolls = box.scrollWidth > box.clientWidth
    // Mark the boxes that do not scroll, because only these boxes can keep their table's header at the top of
    // the window.
    box.toggleAttribute('data-fits', !scrolls)
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

// Watch for new tables, because navigation and search can add tables later on pages with React.
new MutationObserver(watch).observe(document, { childList: true, subtree: true })
watch()
