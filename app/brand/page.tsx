import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { ButtonGround } from '@/components/pictures/button-ground'
import { TextAnchor } from '@/components/ui/button'
import { config } from '@/lib/base/config/env'
import {
  type ButtonLook,
  buttonText,
  buttonWidth,
  loginButtonSnippet,
} from '@/lib/features/pictures/login-button'

export const metadata: Metadata = { title: 'Login button' }

const kinds: { look: ButtonLook; title: string }[] = [
  { look: 'light', title: 'Light' },
  { look: 'dark', title: 'Dark' },
  { look: 'outline', title: 'Outline, for light backgrounds' },
  { look: 'outline-on-dark', title: 'Outline, for dark backgrounds' },
]

export default function BrandPage() {
  const { serviceName, BASE_URL } = config()
  const image = (look: ButtonLook) => ({
    src: `/brand/login-with-${look}.svg`,
    alt: buttonText(serviceName),
    width: buttonWidth(serviceName),
  })
  return (
    <DocsArticle title="Login button" lead={`A button for your app that offers sign-in with ${serviceName}.`}>
      <DocsSection id="grounds" title="On light and on dark">
        <P>
          Light and dark have their own background and work anywhere. Outline lets your page show through.
        </P>
        <ButtonGround ground="light" images={[image('light'), image('dark'), image('outline')]} />
        <ButtonGround ground="dark" images={[image('light'), image('dark'), image('outline-on-dark')]} />
      </DocsSection>
      <DocsSection id="html" title="HTML to copy">
        <P>
          Put the address where your app starts the sign-in in place of <Code>/login</Code>;{' '}
          <TextAnchor href="/docs/web-apps#sign-in">the quickstart</TextAnchor> has the code behind it.
        </P>
        {kinds.map(({ look, title }) => (
          <CodeBlock key={look} title={title} code={loginButtonSnippet(BASE_URL, serviceName, look)} />
        ))}
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            The images may be embedded from any site. They load nothing else and set no cookies, and are kept
            for an hour.
          </li>
          <li>
            Keep the height at 44 pixels or more, the words and colours as they are, and some space around.
          </li>
          <li>
            The text of the image is in <Code>alt</Code>: people who cannot see the button hear it there.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
