'use client'

import dynamic from 'next/dynamic'

/** The editor lives in the browser alone, and is fetched by this page alone (ADR 0040). */
export const LoadExplorer = dynamic(() => import('./graphql-explorer'), {
  ssr: false,
  loading: () => <p className="p-6 text-muted">Loading the editor…</p>,
})
