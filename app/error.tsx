'use client'
import { CircleAlert } from 'lucide-react'
import { useFailureWords } from '@/components/frame/failure-words'
import { MessageCard } from '@/components/frame/message-card'
import { Button } from '@/components/ui/button'
import { ButtonLink } from '@/components/ui/button-link'

/** A page that could not be shown. The reference is the digest that the server wrote to its log. */
export default function PageError({
  error,
  retry,
}: {
  error: Error & { digest?: string }
  retry: () => void
}) {
  const { language, direction, ...words } = useFailureWords()
  return (
    <div
      lang={language}
      dir={direction}
      className="flex min-h-[70dvh] items-center justify-center px-4 py-12 text-base leading-6"
    >
      <div className="w-full max-w-card rounded-card border bg-surface p-5 sm:p-8">
        <MessageCard
          icon={CircleAlert}
          tone="danger"
          title={words.title}
          details={error.digest ? [{ label: words.reference, value: error.digest }] : []}
          action={
            <>
              <Button variant="primary" onClick={retry}>
                {words.again}
              </Button>
              <ButtonLink href="/">{words.start}</ButtonLink>
            </>
          }
        >
          <p>{words.why}</p>
          <p>{words.advice}</p>
        </MessageCard>
      </div>
    </div>
  )
}
