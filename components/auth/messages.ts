/** What a submit route may say through `?error=`: where it belongs, and the words. A code alone travels in the URL. */
type Message = { field?: 'name' | 'email' | 'password'; text: string }

const messages = {
  credentials: { text: 'E-mail and password do not match. Check both and try again.' },
  too_many: { text: 'Too many tries. Wait a minute, then sign in again.' },
  suspended: { text: 'This account is suspended. Ask whoever runs this service.' },
  expired: { text: 'This form was open for too long, or came from another site. Try again.' },
  provider: { text: 'The other service did not confirm who you are. Try again, or use your password.' },
  name_missing: { field: 'name', text: 'Enter your name.' },
  name_long: { field: 'name', text: 'Use at most 80 characters.' },
  email_missing: { field: 'email', text: 'Enter your e-mail address.' },
  email_invalid: { field: 'email', text: 'This is not an e-mail address. Write it like ada@example.com.' },
  email_taken: { field: 'email', text: 'An account with this address exists. Sign in instead.' },
  password_missing: { field: 'password', text: 'Enter your password.' },
  password_short: { field: 'password', text: 'Use at least 10 characters.' },
  password_long: { field: 'password', text: 'Use at most 200 characters.' },
} satisfies Record<string, Message>

export type AuthError = keyof typeof messages

/** The message of a code; unknown codes say nothing, since anyone can write a URL. */
export function authMessage(code: string | undefined): Message | undefined {
  return code && Object.hasOwn(messages, code) ? messages[code as AuthError] : undefined
}
