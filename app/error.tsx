'use client'
import { CircleAlert } from 'lucide-react'
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
  return (
    <div className="flex min-h-[70dvh] items-center justify-center px-4 py-12 text-base leading-6">
      <div className="w-full max-w-card rounded-card border bg-surface p-5 sm:p-8">
        <MessageCard
          icon={CircleAlert}
          tone="danger"
          title="This page could not be shown"
          details={error.digest ? [{ label: 'Reference', value: error.digest }] : []}
          action={
            <>
              <Button variant="primary" onClick={retry}>
                Try again
              </Button>
              <ButtonLink href="/">Go to the start</ButtonLink>
            </>
          }
        >
          <p>Something failed on our side. Nothing you entered was saved.</p>
          <p>Try again; if it stays this way, give the reference below to whoever runs this service.</p>
        </MessageCard>
      </div>
    </div>
  )
}
