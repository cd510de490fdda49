import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { reference } from '@/lib/edges/graphql/reference/reference'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { answerMarkdown, docsAsMarkdown } from './answer-markdown'

const paths = docsNavigation.flatMap(({ pages }) => pages.map(({ href, title }) => [href, title] as const))

describe('a page as Markdown', () => {
  it.each(paths)('%s has a title, sections, and nothing left of HTML', (path) => {
    const text = docsAsMarkdown(path) as string
    expect(text).toMatch(/^# \S.*\n\n\S/)
    expect(text.match(/^## /gm)?.length ?? 0).toBeGreaterThan(0)
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`]*`/g, '')
    expect(prose.match(/<\/?(?:p|div|span|a|ul|li|code|pre|table)\b/g)).toBeNull()
    expect(prose).not.toMatch(/\[object|undefined|&(?:amp|lt|gt|quot);/)
  })

  it('has code as it was written, and says in what', () => {
    const text = docsAsMarkdown('/docs/agents') as string
    expect(text).toContain(
      `\`\`\`bash\nclaude mcp add --transport http latchkey ${config().BASE_URL}/mcp\n\`\`\``,
    )
    expect(text).toMatch(/```json\n\{\n {2}"mcpServers": \{/)
  })

  it('leads on to Markdown by whole addresses', () => {
    const text = docsAsMarkdown('/docs/agents') as string
    expect(text).toMatch(/\[required approvals\]\(http\S+\/docs\/apps-in-workspaces\.md#required-approvals\)/)
    expect(text).not.toMatch(/\]\((?!http)/)
  })

  it('has tables, and entries under headings of their own', () => {
    expect(docsAsMarkdown('/docs/scopes')).toMatch(/^\| .* \|\n\| --- \| --- .*\n\| `openid` \|/m)
    expect(docsAsMarkdown('/docs/errors')).toMatch(/^### `INSUFFICIENT_SCOPE`/m)
  })

  it('is there for the reference as well, and for nothing else', async () => {
    for (const { name } of reference().types) expect(docsAsMarkdown(`/docs/graphql/${name}`)).toMatch(/^# /)
    expect(docsAsMarkdown('/docs/reference/projects')).toContain('### projectCreate')
    expect(docsAsMarkdown('/docs/reference/nothing')).toBeUndefined()
    expect([answerMarkdown('/docs').status, answerMarkdown('/account').status]).toEqual([200, 404])
  })
})
