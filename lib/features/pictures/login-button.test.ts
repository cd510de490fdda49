import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  type ButtonLook,
  brandLinks,
  buttonLooks,
  buttonWidth,
  drawLoginButton,
  loginButtonSnippet,
} from './login-button'

const looks = Object.keys(buttonLooks) as ButtonLook[]
const draw = (serviceName: string, logoUrl?: string, look: ButtonLook = 'light') =>
  drawLoginButton({ serviceName, accent: '#4f46e5', accentText: '#ffffff', logoUrl }, look)

const hostile = [
  'Latchkey',
  'Tom & Jerry <script>alert(1)</script>',
  `"quoted" 'twice' &amp; ]]> --><!--`,
  'W'.repeat(60),
  'i'.repeat(60),
  '鍵'.repeat(60),
  'Ключ от всех дверей',
  'مفتاح الباب',
  'कुंजी क्षेत्र',
  '👩‍👩‍👧‍👦🔑🏳️‍🌈',
  `Z${'\u0301'.repeat(58)}`,
  'nul\u0000bell\u0007half\ud800turn\u202Enone\uffff',
]

describe('the login button', () => {
  // librsvg rejects XML that is not well-formed.
  it.each(hostile)('is a valid image of the expected size for the name %j', async (name) => {
    for (const look of looks) {
      const { format, width, height } = await sharp(Buffer.from(draw(name, undefined, look))).metadata()
      expect({ format, width, height }).toEqual({ format: 'svg', width: buttonWidth(name), height: 44 })
    }
    expect(buttonWidth(name)).toBeLessThan(520)
  })

  it('escapes the service name', () => {
    const svg = draw('<script>alert(1)</script>" onload="x')
    expect(svg).toContain('Login with &lt;script&gt;')
    expect(svg).not.toMatch(/<script|" onload=|\shref=/)
  })

  it('truncates a long name after a complete character, but gives screen readers the full name', () => {
    const name = '👩‍👩‍👧‍👦'.repeat(40)
    const svg = draw(name)
    expect(svg).toContain(`<title>Login with ${name}</title>`)
    expect(svg).toMatch(/>Login with (?:👩‍👩‍👧‍👦)+…<\/text>/u)
  })

  it('omits characters that XML forbids and characters that change the text direction', () => {
    expect(draw('a\u0000b\ud800c\u202Ed\uffffe\n f')).toContain('<title>Login with abcde f</title>')
  })

  it('contains only an embedded logo, never a logo from another host', () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo='
    expect(draw('Acme', logo)).toContain(`href="${logo}"`)
    const elsewhere = draw('Élan', 'https://cdn.example.com/logo.png')
    expect(elsewhere).not.toContain('cdn.example.com')
    expect(elsewhere).toMatch(/>É<\/text>/)
  })

  it('has an HTML snippet that escapes the service name in the alt attribute', () => {
    const html = loginButtonSnippet('https://login.example.com', '" onerror="alert(1)', 'dark')
    expect(html).toContain('src="https://login.example.com/brand/login-with-dark.svg"')
    expect(html).toContain('alt="Login with &quot; onerror=&quot;alert(1)"')
  })
})

it('brandLinks returns only the configured links, in a fixed order', () => {
  expect(brandLinks({ privacyUrl: '/privacy', helpUrl: 'https://help.example.com' })).toEqual([
    { label: 'Help', href: 'https://help.example.com' },
    { label: 'Privacy', href: '/privacy' },
  ])
  expect(brandLinks({})).toEqual([])
})
