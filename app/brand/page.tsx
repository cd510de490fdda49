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

export const metadata: Metadata = { title: 'Sign-in button' }

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
    <DocsArticle title="Sign-in button" lead="Images and HTML for your app’s sign-in button.">
      <DocsSection id="grounds" title="Light and dark backgrounds">
        <P>The light and dark buttons have a filled background. The outline buttons are transparent.</P>
        <ButtonGround ground="light" images={[image('light'), image('dark'), image('outline')]} />
        <ButtonGround ground="dark" images={[image('light'), image('dark'), image('outline-on-dark')]} />
      </DocsSection>
      <DocsSection id="html" title="HTML to copy">
        <P>
          Replace <Code>/login</Code> with the URL that starts sign-in in your app. See{' '}
          <TextAnchor href="/docs/web-apps#sign-in">the quickstart</TextAnchor> for the code.
        </P>
        {kinds.map(({ look, title }) => (
          <CodeBlock key={look} title={title} code={loginButtonSnippet(BASE_URL, serviceName, look)} />
        ))}
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            You can embed the images on any site. They load no other resources, set no cookies, and are cached
            for one hour.
          </li>
          <li>
            Make the button at least 44 pixels high, and leave space around it. Don’t change the text or
            colors.
          </li>
          <li>
            Keep the <Code>alt</Code> text, because screen readers read it aloud.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
