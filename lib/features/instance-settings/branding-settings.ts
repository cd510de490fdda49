import type { SettingGroup } from './changeable-settings'

const address = { most: 500, text: 'https://example.com/…', mono: true }

/** How the service looks and speaks, as the page about it has it. See decision 211. */
export const brandingGroups: readonly SettingGroup[] = [
  {
    page: 'branding',
    title: 'Look',
    description: 'On every page, in the console, and in mails.',
    settings: [
      { name: 'SERVICE_NAME', label: 'Service name', most: 60, text: '' },
      {
        name: 'ACCENT_COLOR',
        label: 'Accent color',
        hint: 'Buttons, links and charts. Text on it turns black or white by itself.',
        most: 7,
        text: '#4f46e5',
        mono: true,
        color: true,
      },
      {
        name: 'LOGO_URL',
        label: 'Logo',
        hint: 'A square picture: an https address, or a path on this service. Without one, a key in the accent color.',
        ...address,
      },
      {
        name: 'LOGO_DARK_URL',
        label: 'Logo on dark pages',
        hint: 'Without one, the logo above.',
        ...address,
      },
    ],
  },
  {
    page: 'branding',
    title: 'Links',
    description: 'Below sign-in, consent and device pages.',
    settings: [
      { name: 'HELP_URL', label: 'Help', ...address },
      { name: 'TERMS_URL', label: 'Terms', ...address },
      { name: 'PRIVACY_URL', label: 'Privacy', ...address },
    ],
  },
  {
    page: 'branding',
    title: 'Mails',
    description: 'Sent as you write it, whatever language the rest of the mail is in.',
    settings: [
      {
        name: 'MAIL_WELCOME',
        label: 'Welcome',
        hint: 'A paragraph in the first mails somebody gets: confirming an email address, and an invitation.',
        most: 600,
        text: '',
        rows: 3,
      },
      {
        name: 'MAIL_FOOTER',
        label: 'Below every mail',
        hint: 'Such as the company and its postal address.',
        most: 600,
        text: '',
        rows: 3,
      },
    ],
  },
]
