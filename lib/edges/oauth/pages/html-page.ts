import { createHash } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { textColorOn } from '@/lib/base/config/contrast'
import { config } from '@/lib/base/config/env'
import { escapeHtml } from '@/lib/base/http/answers'
import { fontFace, fontPolicy } from '@/lib/base/http/page-font'
import { languageFrom, readTheme, type Theme, themeCookie } from '@/lib/base/http/visitor'
import { type Say, sayIn } from '@/lib/base/language/say'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { brandLinks } from '@/lib/features/pictures/login-button'
import { drawIcon } from '@/lib/features/pictures/mark'

/**
 * A page that is sent as the body of an OAuth response: an error, the confirmation or result of a sign-out,
 * or a form to post to an app. The page does not change the response's status. It is plain HTML in our design
 * and loads only the font.
 */
export type OAuthPage = {
  /** The translator for the page's language. */
  say: Say
  title: string
  text: string[]
  /** Details for the app's developer. */
  details?: { label: string; value: string }[]
  /** A link to more information. */
  more?: { text: string; href: string } | undefined
  /** The markup of a form, which is inserted without escaping. All values in it must already be escaped. */
  form?: string
  /** A script at the end of the page; the Content-Security-Policy lists its hash. */
  script?: string
}

const style = (
  accent: string,
) => `${fontFace}:root{color-scheme:light dark;--bg:light-dark(#f4f5f8,#080a0e);--surface:light-dark(#fff,#0f1117);
--border:light-dark(#e1e3e9,#262a33);--text:light-dark(#161922,#ebedf0);--muted:light-dark(#5b606c,#a5a9b2);--accent:${accent};--on-accent:${textColorOn(accent)}}*{box-sizing:border-box}body{margin:0;min-height:100dvh;display:flex;flex-direction:column;
align-items:center;justify-content:center;padding:24px 16px;font:16px/24px Inter,system-ui,-apple-system,sans-serif;background:var(--bg);
color:var(--text)}header{display:flex;align-items:center;gap:10px;
font-weight:600;font-size:17px;margin-bottom:20px}header svg{width:32px;height:32px}main{width:100%;max-width:420px;padding:32px;
border:1px solid var(--border);border-radius:16px;background:var(--surface);box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 40px -12px rgb(0 0 0/.12)}h1{margin:0 0 8px;font-weight:600;font-size:20px;line-height:28px;text-wrap:balance}
p{margin:0 0 8px;color:var(--muted);font-size:15px;overflow-wrap:anywhere;text-wrap:pretty}dl{margin:16px 0 0;padding:10px 12px;
border:1px solid var(--border);border-radius:6px;background:var(--bg);font-size:13px;line-height:18px}dt{color:var(--muted)}
dd{margin:0 0 8px;font:12px/18px ui-monospace,monospace;overflow-wrap:anywhere}dd:last-child{margin:0}dl+p{margin-top:16px}footer{margin-top:24px;
font-size:13px;color:var(--muted)}footer a{color:inherit;margin-inline-start:12px}.more{margin:16px 0 0;font-size:13px;line-height:20px}.more a{color:inherit;text-underline-offset:3px}button,.button{font:inherit;width:100%;min-height:44px;margin-top:8px;border-radius:6px;cursor:pointer;
border:1px solid var(--border);background:transparent;color:inherit}.button{display:block;padding:9px 12px;text-align:center;text-decoration:none;overflow-wrap:anywhere}
button.primary{background:var(--accent);color:var(--on-accent);
border-color:transparent;font-weight:500}button:focus-visible,.button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}.apart{margin-top:16px}
@media(max-width:480px){body{justify-content:flex-start}main{padding:20px}}:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}`

/**
 * Renders a page.
 * @param theme the theme chosen in this browser; undefined for the system theme
 * @returns the document and its headers
 */
function renderPage(
  { say, title, text, details = [], more, form = '', script = '' }: OAuthPage,
  theme: Theme | undefined,
): {
  html: string
  headers: Record<string, string>
} {
  const { serviceName, accentColor, logoUrl } = config()
  const css = style(accentColor)
  const icon = drawIcon({
    serviceName,
    accent: accentColor,
    accentText: textColorOn(accentColor),
    logoUrl,
  })
  const facts = details.map(
    ({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd dir="ltr">${escapeHtml(value)}</dd>`,
  )
  const links = brandLinks(config()).map(
    ({ label, href }) => ` <a href="${escapeHtml(href)}">${escapeHtml(say.known(label))}</a>`,
  )
  const link = more
    ? `<p class="more"><a href="${escapeHtml(more.href)}">${escapeHtml(more.text)}</a></p>`
    : ''
  const html = `<!doctype html>
<html lang="${say.language}" dir="${say.direction}"${theme ? ` data-theme="${theme}"` : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(`${title} · ${serviceName}`)}</title><style>${css}</style></head>
<body><header>${icon}${escapeHtml(serviceName)}</header><main><h1>${escapeHtml(title)}</h1>
${text.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}${form}${facts.length > 0 ? `<dl>${facts.join('')}</dl>` : ''}${link}</main>
<footer>${escapeHtml(say('frame.secured', { service: serviceName }))}${links.join('')}</footer>${script ? `<script>${script}</script>` : ''}</body></html>`
  return {
    html,
    headers: {
      'cache-control': 'no-store',
      'content-language': say.language,
      vary: 'accept-language, cookie',
      // Omit form-action: Chromium also applies it to redirects, so it would block the redirect to the app
      // after the user submits the logout form.
      'content-security-policy': `default-src 'none'; img-src data:; ${fontPolicy}; style-src ${hashSource(css)};${script ? ` script-src ${hashSource(script)};` : ''} frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    },
  }
}

/**
 * Returns the translator for the language that the user has chosen. If the user has not chosen one,
 * `ui_locales` in the app's request takes precedence over the browser's languages.
 */
export function translatorForRequest({ oidc, query, headers }: KoaContextWithOIDC): Say {
  const asked = oidc?.params?.ui_locales ?? query.ui_locales
  const get = (name: string) => [headers[name]].flat()[0]
  return sayIn(languageFrom({ get }, typeof asked === 'string' ? asked : undefined))
}

/** Sets a page in the browser's theme as the response body, with its headers. The caller sets the status. */
export function showPage(ctx: KoaContextWithOIDC, page: OAuthPage): void {
  const theme = readTheme(cookieValue(ctx.headers.cookie, themeCookie()))
  const { html, headers } = renderPage(page, theme)
  ctx.set(headers)
  ctx.type = 'html'
  ctx.body = html
}

/**
 * Returns the markup of hidden form fields for parameters, with escaped names and values. Omits parameters
 * without a value.
 */
export const hiddenInputs = (parameters: Record<string, string | undefined>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">`,
    )
    .join('')

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
