'use client'

/** The page when even the layout failed; it depends on nothing of the product, styles included. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <title>This page could not be shown</title>
        <h1>This page could not be shown</h1>
        <p>Something failed on our side. Nothing you entered was saved.</p>
        {error.digest && (
          <p>
            Reference for whoever runs this service: <code>{error.digest}</code>
          </p>
        )}
        <a href="/">Go to the start</a>
      </body>
    </html>
  )
}
