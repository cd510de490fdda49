/** Credentials of ours (lib/base/credentials/tokens), but for client ids, which are public. */
const credentials = /\blk_(?!app_)([a-z]+)_\w+/g
/** A JSON Web Token, in whole or in part. */
const tokens = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g
/** What stands after a scheme of the Authorization header. */
const authorizations = /\b(bearer|basic|dpop)\s+[\w+/=.~-]{8,}/gi
const userInfo = /(:\/\/)[^\s/@]*@/g
/** Of an address what may name a person or hold a code. */
const queries = /[?#][\w%.~[\]-]+=[^\s"'<>)]*/g
const mailAddresses = /[^\s"'<>()=,;:@/\\`]+@[^\s"'<>()=,;:@/\\`]+\.\p{L}{2,}/gu
/** Long runs of characters; of these the random ones are hidden. */
const runs = /[\w+=-]{24,}/g

/**
 * A text without what nobody may read in the log: credentials, e-mail addresses, the queries of addresses, anything long and
 * random. It is the second net: what can hold such things is not written in the first place (plain-error.ts).
 */
export const withoutSecrets = (text: string): string =>
  withoutPatterns(text).replace(runs, (run) => (isRandom(run) ? hidden : run))

/** The same for the lines of a stack, whose names of files may look random. */
export const withoutPatterns = (text: string): string =>
  text
    .replace(credentials, `lk_$1_${hidden}`)
    .replace(tokens, hidden)
    .replace(authorizations, `$1 ${hidden}`)
    .replace(userInfo, `$1${hidden}@`)
    .replace(queries, `?${hidden}`)
    .replace(mailAddresses, hidden)

const hidden = '[hidden]'

/** As base64 or hexadecimal text is, and no word, client id or name of a file. */
const isRandom = (run: string): boolean =>
  (!run.startsWith('lk_app_') && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)) ||
  /^[\da-f]{32,}$/i.test(run)
