import { headers } from 'next/headers'
import { languageFrom } from '@/lib/base/http/visitor'
import { type Say, sayIn } from '@/lib/base/language/say'

/** How to speak to whoever opened a page that Next draws, where no app's request waits. */
export const sayToVisitor = async (): Promise<Say> => sayIn(languageFrom(await headers()))
