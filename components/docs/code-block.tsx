import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import graphql from 'highlight.js/lib/languages/graphql'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { Button } from '../ui/button'
import { Check, Copy } from '../ui/icon'

const grammars = {
  ...{ bash, go, graphql, java, javascript, json, kotlin },
  ...{ php, python, rust, swift, typescript, xml },
}

export type Language = keyof typeof grammars | 'text'

let known: typeof hljs | undefined

function highlighter(): typeof hljs {
  if (known) return known
  const own = hljs.newInstance()
  for (const [name, grammar] of Object.entries(grammars)) own.registerLanguage(name, grammar)
  known = own
  return own
}

/** The languages of code blocks, by file extension. */
const endings: Record<string, Language> = {
  ...{ mjs: 'javascript', js: 'javascript', ts: 'typescript', tsx: 'typescript', json: 'json', py: 'python' },
  ...{
    go: 'go',
    rs: 'rust',
    php: 'php',
    swift: 'swift',
    kt: 'kotlin',
    java: 'java',
    html: 'xml',
    sh: 'bash',
  },
}

/**
 * Returns the language of a code block. The language is derived from the file extension in the title or, if
 * there is no known extension, from the first characters of the code. Returns `text` if neither identifies a
 * language.
 */
export function languageOf(title: string, code: string): Language {
  const ending = endings[/\.(\w+)$/.exec(title)?.[1] ?? '']
  if (ending) return ending
  if (/^(#|curl|npm|pip|go|cargo|composer|claude|\w+=)/.test(code)) return 'bash'
  if (/^(query|mutation|subscription)\b/.test(code)) return 'graphql'
  if (/^[[{]/.test(code)) return 'json'
  return code.startsWith('<') ? 'xml' : 'text'
}

/**
 * Highlights code. Each highlighted token is in a `<span>` with a class such as `hljs-string`. The colors are
 * in app/code.css.
 * @returns escaped HTML, or undefined for plain text
 */
export const highlighted = (code: string, language: Language): string | undefined =>
  language === 'text' ? undefined : highlighter().highlight(code, { language }).value

/**
 * Shows highlighted code with a button to copy the code. `title` is the file name or the purpose, and names
 * the button. The server highlights the code. The button requires components/page-scripts/copy.ts and is
 * hidden without JavaScript. Trailing space in the code is omitted.
 * @param language the language of the code; if undefined, it is derived from the title or the code
 */
export function CodeBlock({ title, code, language }: { title: string; code: string; language?: Language }) {
  const text = code.trimEnd()
  const html = highlighted(text, language ?? languageOf(title, text))
  return (
    <figure className="min-w-0 overflow-clip rounded-card border bg-surface">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 border-b bg-raised py-1 pr-2 pl-4 text-[13px] text-muted">
        <span className="min-w-0 [overflow-wrap:anywhere]">{title}</span>
        <Button
          size="small"
          variant="quiet"
          data-copies
          aria-label={`Copy ${title}`}
          className="needs-script group"
        >
          <Copy className="group-data-copied:hidden" />
          <Check className="hidden text-success group-data-copied:block" />
          Copy
          <span role="status" className="sr-only" />
        </Button>
      </figcaption>
      <Written html={html} text={text} />
      <script src="/copy.js" async />
    </figure>
  )
}

function Written({ html, text }: { html: string | undefined; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre tabIndex={0} className="overflow-x-auto px-4 py-3 font-mono text-[13px] leading-5">
      {html === undefined ? (
        <code>{text}</code>
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes its input (code-block.test.ts)
        <code dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </pre>
  )
}
