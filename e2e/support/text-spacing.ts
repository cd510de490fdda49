import type { Page } from '@playwright/test'

/** Text spacing that some users need (WCAG 1.4.12). */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-block-end: 2em !important; }`

/**
 * Applies the spacing to the current page, checks for lost content, and removes the spacing.
 * @returns a line for each fault: by how much the page becomes wider than its window, or which text is cut
 * off. Ellipses, scrollable boxes, text for screen readers, and GraphiQL are ignored.
 */
export const lostBySpacing = (page: Page): Promise<string[]> =>
  page.evaluate(async (style) => {
    // The page's policy blocks foreign style elements, so this uses a constructed style sheet.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets.push(sheet)
    // Wait for two frames, because /scroll.js makes tables that no longer fit scrollable before the next
    // frame is painted.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const lost: string[] = []
    const wider = document.documentElement.scrollWidth - window.innerWidth
    if (wider > 0) lost.push(`${wider} pixels wider than its window`)

    const range = document.createRange()
    const cuts = (box: Element, side: 'X' | 'Y') =>
      ['hidden', 'clip'].includes(getComputedStyle(box)[`overflow${side}`])
    const isMeant = (box: Element) => {
      const { textOverflow, clipPath } = getComputedStyle(box)
      return textOverflow === 'ellipsis' || clipPath !== 'none'
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement
      if (!text.textContent?.trim() || !parent?.checkVisibility()) continue
      if (parent.closest('.graphiql-container')) continue
      range.selectNodeContents(text)
      const own = range.getBoundingClientRect()
      for (let box: Element | null = parent; box && !isMeant(box); box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box)
        if ([overflowX, overflowY].some((how) => how === 'auto' || how === 'scroll')) break
        const around = box.getBoundingClientRect()
        const cut =
          (cuts(box, 'X') && (own.right > around.right + 1 || own.left < around.left - 1)) ||
          (cuts(box, 'Y') && (own.bottom > around.bottom + 1 || own.top < around.top - 1))
        if (!cut) continue
        lost.push(`“${text.textContent.trim().slice(0, 40)}” is cut off`)
        break
      }
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    return lost
  }, spacing)
