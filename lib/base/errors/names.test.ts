import { afterEach, describe, expect, it } from 'vitest'
import { setChangedSettings } from '@/lib/base/config/env'
import { displayNameFor, nameInput, publicNameInput } from './names'

const problem = (name: string, schema = publicNameInput()) => schema.safeParse(name).error?.issues[0]?.message

describe('nameInput', () => {
  it.each([
    'Acme',
    'Łódź Żabka',
    'Nguyễn Thị Minh Khai',
    '株式会社ソニー Music',
    'Яндекс Music',
    'Müller & Söhne',
    'शिक्षा',
    'اختبار',
    'Team ❤️',
    'C++ / C#',
    'Deployer 3000',
    'Mac Mexico',
    'Patch keys',
    'Søren Ødegård',
    'Əli',
    '🅰️ Team',
    'Team 🇨🇭',
    'µTorrent',
    'ΔWorks',
    'Ωmega',
    'Ωμέγα',
  ])('accepts %s', (name) => {
    expect(problem(name)).toBeUndefined()
  })

  it.each([
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['Persian', 'می\u200cخواهم'],
    ['Bengali', 'র\u200d্যাব'],
    ['Hindi', 'क्\u200dष'],
    ['Malayalam', 'മോഹന്\u200d'],
    ['Mongolian', 'ᠠ\u180bᠠ\u180eᠠ'],
    ['a Japanese town', '葛\u{e0100}城市'],
    ['a text-style heart', 'Team ❤\ufe0e'],
    ['an emoji with a skin tone', '👩🏽\u200d💻'],
    ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
    ['a family', '👨\u200d👩\u200d👧'],
    ['a key with a digit', '1\ufe0f\u20e3 First'],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
  ])('keeps the spelling of %s', (_, name) => {
    expect(problem(name, nameInput())).toBeUndefined()
    expect(problem(name)).toBeUndefined()
    expect(displayNameFor(name, 'agent.example')).toBe(name)
  })

  it.each([
    ['a joiner in a Latin word', 'Ac\u200dme'],
    ['a non-joiner in a Latin word', 'Ac\u200cme'],
    ['a non-joiner in a Cyrillic word', 'Ян\u200cдекс'],
    ['two joiners', 'ශ්\u200d\u200dරී'],
    ['a joiner at the end', 'می\u200d'],
    ['a joiner between two alphabets', 'A\u200dش'],
    ['a joiner behind an emoji', '👩\u200d'],
    ['a joiner between an emoji and a letter', '👩\u200dA'],
    ['a variation of a Latin letter', 'A\u{e0100}cme'],
    ['two variations of a Chinese character', '葛\u{e0100}\u{e0101}城市'],
    ['an emoji style twice', '❤\ufe0f\ufe0f'],
    ['an emoji style on a digit', '1\ufe0f'],
    ['a Mongolian variation of a Latin letter', 'A\u180bcme'],
    ['tags that form no existing flag', '🏴\u{e0065}\u{e0076}\u{e0069}\u{e006c}\u{e007f}'],
    ['tags on a letter', 'A\u{e0067}\u{e0062}'],
  ])('rejects hidden characters: %s', (_, name) => {
    expect(problem(name, nameInput())).toMatch(/invisible characters|control characters/)
    expect(displayNameFor(name, 'agent.example')).not.toBe(name)
  })

  it.each([
    ['a Hangul filler', '\u3164', 'invisible characters'],
    ['a braille blank', '\u2800', 'invisible characters'],
    ['Hangul jamo fillers', 'A\u115f\u1160', 'invisible characters'],
    ['a combining grapheme joiner', 'Ac\u034fme', 'invisible characters'],
    ['a stray emoji style', 'Acme\ufe0f', 'invisible characters'],
    ['a line separator', 'A\u2028B', 'invisible characters'],
    ['a paragraph separator', 'A\u2029B', 'invisible characters'],
    ['a text direction override', 'Acme\u202eevil', 'control characters'],
    ['a zero-width space', 'Ac\u200bme', 'control characters'],
    ['seventy combining marks on a letter', `Z${'\u0301'.repeat(70)}`, 'four combining marks'],
    ['a combining mark without a letter', '\u0301cme', 'four combining marks'],
  ])('rejects %s', (_, name, words) => {
    expect(problem(name, nameInput())).toContain(words)
    expect(problem(name)).toContain(words)
  })

  it('treats a name of only spaces as empty, and converts special spaces to normal ones', () => {
    expect(problem('\u00a0\u2003 ', nameInput('Enter it.'))).toBe('Enter it.')
    expect(nameInput().parse('Acme\u00a0Inc')).toBe('Acme Inc')
  })
})

describe('publicNameInput', () => {
  afterEach(() => {
    setChangedSettings({})
  })

  it.each([
    'Latchkey',
    'latchkey login',
    'LATCHKEY',
    'Latchkey ✅ Verified',
    'L a t c h k e y',
    'Latch-Key',
    'MyLatchkeyApp',
    'Lаtchkey',
    'Ꮮatchkey',
    'Iatchkey',
    '𝐋𝐚𝐭𝐜𝐡𝐤𝐞𝐲',
    'Ｌａｔｃｈｋｅｙ',
    'Latchkéy',
    'Łatchkey',
    'Latchĸey',
    'Latchkəy',
    'Lⱥŧȼħꝁɇɏ',
    'ʟᴀᴛᴄʜᴋᴇʏ',
    'L🅰tchkey',
    'L🅐tchkey',
    '🇱🇦🇹🇨🇭🇰🇪🇾',
    'LΔtchkey',
    'L∆tchkey',
  ])('rejects a name that imitates the service: %s', (name) => {
    expect(problem(name)).toBeDefined()
    expect(problem(name, nameInput())).toBeUndefined()
  })

  it.each(['Acme ✅', 'Acme ✔', 'Acme ☑️', '✓ Acme', 'Acme 🮱', 'Acme ⍻', 'Acme √', 'Acme 🆗'])(
    'rejects a name with a check mark: %s',
    (name) => {
      expect(problem(name)).toContain('check marks')
    },
  )

  it.each(['Gооgle', 'Раypal', 'Αpple', 'GΩΩgle', 'Gοogle'])(
    'rejects a name that mixes alphabets: %s',
    (name) => {
      expect(problem(name)).toContain('one alphabet')
    },
  )

  it('rejects a short service name or an imitation of it as a whole word, but not as part of other words', () => {
    setChangedSettings({ serviceName: 'Acme' })
    for (const name of ['Acme Login', 'AC ME', 'Асме', 'АСМЕ'])
      expect(problem(name), name).toContain('“Acme”')
    for (const name of ['Macmeal', 'Mac Mexico']) expect(problem(name), name).toBeUndefined()
  })

  it('does not compare a name with the service’s name if it is too long, because that takes much CPU time', () => {
    const { issues } = publicNameInput().safeParse('Latchkey '.repeat(14_000)).error ?? {}
    expect(issues?.map(({ message }) => message)).toEqual(['Use at most 80 characters.'])
  })
})

describe('the displayed name of a self-registered app', () => {
  it.each([
    ['Cursor', 'Cursor'],
    ['  Evil\n\u202eapp ', 'Evil app'],
    ['Acme ✅ Tools', 'Acme Tools'],
    ['Claude Code (latchkey)', 'Claude Code'],
    ['Latchkey ✅ Verified', 'agent.example'],
    ['Lаtchkey', 'agent.example'],
    ['\u3164\u3164', 'agent.example'],
    [`Z${'\u0301'.repeat(100)}`, 'agent.example'],
    ['x'.repeat(300), 'x'.repeat(100)],
    [`${'x'.repeat(98)}👩\u200d💻`, `${'x'.repeat(98)}👩`],
  ])('omits misleading parts: %s becomes %s', (name, shown) => {
    expect(displayNameFor(name, 'agent.example')).toBe(shown)
  })

  it('depends only on the first 500 characters, because comparing more takes much CPU time', () => {
    const name = (length: number) => displayNameFor(`${'x'.repeat(length)} Latchkey`, 'agent.example')
    expect(name(490)).toBe('agent.example')
    expect(name(500)).toBe('x'.repeat(100))
  })

  it('is “Unnamed app” if both the app’s name and its host name are misleading', () => {
    expect(displayNameFor('Latchkey', 'latchkey.evil.example')).toBe('Unnamed app')
  })
})
