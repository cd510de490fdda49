import unhomoglyph from 'unhomoglyph'

/** The runs of letters, marks and digits in a text. */
export const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * What a name looks like (Unicode UTS 39 section 4): each letter's look depends on its case, so there is a look for each.
 * @returns for the name as it is, in small and in capital letters: its words, in letters that stand for all that look like them
 */
export function looksOf(name: string): string[][] {
  const plain = unboxed(name).normalize('NFKD').replace(unseen, '')
  return [plain, plain.toLowerCase(), plain.toUpperCase()].map((text) => words(skeleton(text)))
}

/** Marks of Latin letters do not make them other ones, and neither does what only shapes them. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/** Unicode's table takes ł apart into l and a mark, and к into ĸ, which it then leaves; m is "rn" to it, so it has the last word. */
const skeleton = (text: string) =>
  unhomoglyph(inPlainLatin(unhomoglyph(text)))
    .replace(unseen, '')
    .toLowerCase()

/** 🅐 🅰 🇦, which NFKD leaves as they are, unlike Ⓐ and 🄰. */
const unboxed = (text: string) =>
  text
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, (boxed) => capital(boxed, 0x50))
    .replace(/[\u{1f1e6}-\u{1f1ff}]/gu, (boxed) => capital(boxed, 0xe6))

const capital = (boxed: string, first: number) =>
  String.fromCharCode(65 + ((((boxed.codePointAt(0) as number) & 0xff) - first) % 32))

/** Letters that read as a plain one and that Unicode's table keeps apart: crossed, hooked, turned, small capitals. */
const readAs: Record<string, string> = {
  a: 'ⱥᴀɐᴧʌᶏꬰδƛ',
  b: 'ƃɓʙᴃᵬᶀßꞗ',
  c: 'ꞓꞔɕɔↄ',
  d: 'ðɗɖƌȡᴅᴆᵭᶁ',
  e: 'əǝɛɘɜᴇᴈᶒᶓᶔᶕɚɝⱸꬳꬴ',
  f: 'ꜰᶂꞙⅎ',
  g: 'ɢʛᶃᵷꞡ',
  h: 'ɦɥʜⱨⱶɧꜧ',
  i: 'ᴉᵻᶖ',
  j: 'ᴊʝɟ',
  k: 'ĸʞᴋⱪꝁꝃꝅᶄꞣ',
  l: 'ʟⱡɬꝉꞁᴌȴꞎᶅꬷꬸꬹ',
  m: 'ᴍʍɱᶆɯ',
  n: 'ŋƞɲɴȵᴎᶇꞑꞥπ',
  o: 'ᴓⱺɷꝋꝍω',
  p: 'þᵱᶈꝑꝓꝕƥ',
  q: 'ꝗꝙʠ',
  r: 'ʀʁᴙᴚɹɺɻɾɿᵲᵳᶉꝛꞧ',
  s: 'ƨʂȿꞩᶊᵴ',
  t: 'ʇʈȶⱦᴛᵵꞇτ',
  u: 'ʉᵾᶙμ',
  v: 'ⱱⱴᶌꝟ',
  w: 'ⱳʬ',
  x: 'ᶍꭖꭗꭙ',
  y: 'ʎỿ',
  z: 'ƶȥɀʐʑⱬᵶᶎʒ',
}

const plainLetters = new Map(
  Object.entries(readAs).flatMap(([plain, alike]) => [...alike].map((letter) => [letter, plain])),
)

const inPlainLatin = (text: string) =>
  [...text].map((letter) => plainLetters.get(letter.toLowerCase()) ?? letter).join('')
