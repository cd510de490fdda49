import type { ArgumentsOf, MessageKey, PlainMessageKey, Say } from '@/lib/base/language/say'

/** What a notice says in a language. */
export type NoticeWords = (say: Say) => { title: string; body: string }

/**
 * Returns the title and the text of a notice.
 * @param names the arguments of both; an app or a workspace that was deleted is called "an app" or "a workspace"
 */
export const wordsOf =
  <Title extends MessageKey, Body extends MessageKey>(
    title: Title,
    body: Body,
    names: Record<ArgumentsOf<Title | Body>, string | null>,
  ): NoticeWords =>
  (say) => {
    const given = Object.fromEntries(
      Object.entries<string | null>(names).map(([name, value]) => [
        name,
        value ?? say(name === 'app' ? 'notice.someApp' : 'notice.someWorkspace'),
      ]),
    ) as Record<ArgumentsOf<MessageKey>, string>
    return { title: say<MessageKey>(title, given), body: say<MessageKey>(body, given) }
  }

/** What those who decide about apps are told when somebody asks for one. */
export const requestWords =
  (person: string, app: string, workspace: string, reason: unknown): NoticeWords =>
  (say) => ({
    title: say('notice.requested', { person, app, workspace }),
    body: reason ? say('notice.reason', { reason: String(reason) }) : say('notice.noReason'),
  })

/** What was decided, and what whoever decided wrote to it, if anything. */
const withWord = (
  say: Say,
  decided: PlainMessageKey,
  wrote: 'notice.word' | 'notice.operatorWord',
  word: unknown,
): string => (word ? `${say(decided)} ${say(wrote, { word: String(word) })}` : say(decided))

/** What whoever asked for an app is told of the decision. @param word what the admin wrote to it, if anything */
export const decisionWords =
  (how: 'approved' | 'declined', app: string, workspace: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] =
      how === 'approved'
        ? (['notice.approved', 'notice.approvedText'] as const)
        : (['notice.declined', 'notice.declinedText'] as const)
    return { title: say(title, { app, workspace }), body: withWord(say, text, 'notice.word', word) }
  }

/** A day as it is written in a language; days are those of UTC, as everywhere. */
const dayIn = (say: Say, day: Date | null) =>
  day ? new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(day) : ''

/** Returns what the former admins of a transferred app read. @param end when the credentials that they have end, at the latest */
export const transferWords =
  (to: string | null, app: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.offerAccepted', { to: to ?? say('notice.someWorkspace'), app }),
    body: say('notice.offerAcceptedText', { date: dayIn(say, end) }),
  })

/** What is told of an API token that is about to end. */
export const tokenWords =
  (token: string, end: Date | null): NoticeWords =>
  (say) => ({
    title: say('notice.expiring', { token }),
    body: say('notice.expiringText', { date: dayIn(say, end) }),
  })

/** The same of an app's secret, which is called by its end where it has no name. */
export const secretWords =
  (secret: { name: string | null; lastFour: string; app: string }, end: Date | null): NoticeWords =>
  (say) => {
    const { name, lastFour, app } = secret
    return {
      title: name
        ? say('notice.secret', { secret: name, app })
        : say('notice.secretUnnamed', { ending: lastFour, app }),
      body: say('notice.secretText', { date: dayIn(say, end) }),
    }
  }

/** What is told of the proof of an app's domain that was not found, or was gone for too long. */
export const domainWords =
  (
    state: 'failing' | 'lost',
    app: string,
    domain: string,
    problem: string,
    until: Date | null,
  ): NoticeWords =>
  (say) =>
    state === 'lost'
      ? {
          title: say('notice.domainLost', { app, domain }),
          body: say('notice.domainLostText', { app }),
        }
      : {
          title: say('notice.domainFailing', { app, domain }),
          body: say('notice.domainFailingText', { date: dayIn(say, until), problem }),
        }

/** The same of the domain of a workspace's company. */
export const companyDomainWords =
  (
    state: 'failing' | 'lost',
    workspace: string,
    domain: string,
    problem: string,
    until: Date | null,
  ): NoticeWords =>
  (say) => {
    const { title, body } = domainWords(state, workspace, domain, problem, until)(say)
    return { title, body: state === 'lost' ? say('notice.companyLostText') : body }
  }

/** What an app's admins are told of the operator's decision about it. @param word what the operator wrote to it, if anything */
export const verificationWords =
  (verified: boolean, app: string, word: unknown): NoticeWords =>
  (say) => {
    const [title, text] = verified
      ? (['notice.verified', 'notice.verifiedText'] as const)
      : (['notice.unverified', 'notice.unverifiedText'] as const)
    return { title: say(title, { app }), body: withWord(say, text, 'notice.operatorWord', word) }
  }
