import type { Say } from '@/lib/base/language/say'

/** The way back to the app without signing in. A form: it ends the app's request. */
export const BackToApp = ({ say, app }: { say: Say; app: { name: string; cancelAction: string } }) => (
  <form method="post" action={app.cancelAction} className="mt-5 text-center">
    <button
      type="submit"
      className="wrap-anywhere rounded-[3px] text-muted text-sm underline underline-offset-3"
    >
      {say('login.back', { app: app.name })}
    </button>
  </form>
)
