'use client'

import dynamic from 'next/dynamic'

/** The GraphQL editor. It runs only in the browser, and only the explorer page loads it (ADR 0025). */
export const LoadExplorer = dynamic(() => import('./graphql-explorer'), {
  ssr: false,
  loading: () => <p className="p-6 text-muted">Loading the editor…</p>,
})
