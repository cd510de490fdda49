import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence of the catalogues with elements in it, from its pieces. */
export const Worded = ({ of }: { of: ReactNode[] }) => createElement(Fragment, null, ...of)
