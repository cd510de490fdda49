const kinds = ['light', 'dark', 'phone'] as const

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Returns the contact sheet, an HTML file with all screenshots. Each row shows the screenshots of one page of
 * the product.
 * @param files the screenshots as `<chapter>/<name>-<kind>.png`, relative to the HTML file
 */
export function contactSheet(files: string[]): string {
  const names = [...new Set(files.map((file) => file.replace(/-(light|dark|phone)\.png$/, '')))].sort()
  const rows = names.map((name) => {
    const pictures = kinds
      .map((kind) => `${name}-${kind}.png`)
      .filter((file) => files.includes(file))
      .map(
        (file) =>
          `<a href="${escapeHtml(file)}"><img loading="lazy" alt="${escapeHtml(file)}" src="${escapeHtml(file)}"></a>`,
      )
    return `<h2>${escapeHtml(name)}</h2><div>${pictures.join('')}</div>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title><style>
body{margin:24px;font:14px system-ui,sans-serif;background:#888;color:#fff}div{display:grid;grid-template-columns:5fr 5fr 2fr;gap:16px;align-items:start}
img{width:100%;display:block}h2{margin:32px 0 8px;font-size:15px}</style>${rows.join('\n')}</html>\n`
}
