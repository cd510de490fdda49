import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { reference } from '@/lib/edges/graphql/reference/reference'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { answerMarkdown, docsAsMarkdown } from './answer-markdown'

const paths = docsNavigation.flatMap(({ pages }) => pages.map(({ href, title }) => [href, title] as const))

describe('the Markdown version of a docs page', () => {
  it.each(paths)('has a title and sections, and contains no HTML: %s', (path) => {
    const text = docsAsMarkdown(path) as string
    expect(text).toMatch(/^# \S.*\n\n\S/)
    expect(text.match(/^## /gm)?.length ?? 0).toBeGreaterThan(0)
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`]*`/g, '')
    expect(prose.match(/<\/?(?:p|div|span|a|ul|li|code|pre|table)\b/g)).toBeNull()
    expect(prose).not.toMatch(/\[object|undefined|&(?:amp|lt|gt|quot);/)
  })

  it('keeps code unchanged and names its language', () => {
    const text = docsAsMarkdown('/docs/agents') as string
    expect(text).toContain(
      `\`\`\`bash\nclaude mcp add --transport http latchkey ${config().BASE_URL}/mcp\n\`\`\``,
    )
    expect(text).toMatch(/```json\n\{\n {2}"mcpServers": \{/)
    expect(docsAsMarkdown('/docs/sso')).toContain('`/.well-known/oauth-authorization-server/oauth`')
    expect(docsAsMarkdown('/docs/endpoints')).toContain(`\`${config().BASE_URL}/oauth/token/introspection\``)
  })

  it('links to other Markdown pages with absolute URLs', () => {
    const text = docsAsMarkdown('/docs/agents') as string
    expect(text).toMatch(/\[required approvals\]\(http\S+\/docs\/apps-in-workspaces\.md#required-approvals\)/)
    expect(text).not.toMatch(/\]\((?!http)/)
  })

  it('contains Markdown tables, and headings for reference entries', () => {
    expect(docsAsMarkdown('/docs/scopes')).toMatch(/^\| .* \|\n\| --- \| --- .*\n\| `openid` \|/m)
    expect(docsAsMarkdown('/docs/errors')).toMatch(/^### `INSUFFICIENT_SCOPE`/m)
  })

  it('exists for every reference page, but not for unknown paths', async () => {
    for (const { name } of reference().types) expect(docsAsMarkdown(`/docs/graphql/${name}`)).toMatch(/^# /)
    expect(docsAsMarkdown('/docs/reference/projects')).toContain('### projectCreate')
    expect(docsAsMarkdown('/docs/reference/nothing')).toBeUndefined()
    expect([answerMarkdown('/docs').status, answerMarkdown('/account').status]).toEqual([200, 404])
  })
})
