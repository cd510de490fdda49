/** @type {import('next').NextConfig} */
export default {
  // These packages are not bundled. Bundling would remove Prisma's engine and the names of oidc-provider's
  // models, and would load the other packages more than once per process.
  serverExternalPackages: [
    'oidc-provider',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    'pino',
    'pino-pretty',
    '@opentelemetry/api',
    '@opentelemetry/exporter-prometheus',
    '@opentelemetry/instrumentation-runtime-node',
    '@opentelemetry/sdk-node',
    'pg-boss',
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    'light-my-request',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    'graphql',
    'graphql-yoga',
    '@pothos/core',
  ],
  // To build while a server runs, set NEXT_DIST_DIR to another folder, such as `.next/other`.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  poweredByHeader: false,
  // Disable Next's image optimizer (`/_next/image`), because no page uses it.
  images: { unoptimized: true },
  // Disable Next's redirects, because endpoints must respond with and without a trailing slash, as under
  // server.ts. For pages, proxy.ts redirects.
  skipTrailingSlashRedirect: true,
  // Send the metadata with the page. If Next streamed it later, a page would have no title for a moment after
  // each navigation.
  htmlLimitedBots: /.*/,
  // Do not set Content-Security-Policy here. proxy.ts sets it, because its value differs from page to page.
  headers: async () => [
    // Files in public/. The font is for pages that are rendered without Next (lib/base/http/page-font.ts).
    { source: '/inter.woff2', headers: [{ key: 'cache-control', value: 'public, max-age=86400' }] },
    {
      source: '/(favicon.ico|icons.svg|logo.svg|robots.txt)',
      headers: [{ key: 'cache-control', value: 'public, max-age=3600' }],
    },
    {
      source: '/:path*',
      headers: [
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'x-frame-options', value: 'DENY' },
        // With `no-referrer`, Chromium would send `Origin: null` when users submit this instance's own forms,
        // and the server would reject the forms.
        { key: 'referrer-policy', value: 'strict-origin-when-cross-origin' },
        { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
      ],
    },
  ],
  redirects: async () => [{ source: '/operator/:path*', destination: '/admin/:path*', permanent: true }],
  // Serve /docs, /brand, and the pages below them as Markdown if the path ends with `.md` or the Accept
  // header requests Markdown.
  rewrites: async () => ({
    beforeFiles: ['docs', 'brand'].flatMap((place) => {
      const destination = `/docs/markdown/${place}/:page*`
      const accept = { type: 'header', key: 'accept', value: '.*text/markdown.*' }
      return [
        { source: `/${place}/:page*.md`, destination },
        { source: `/${place}/:page*`, destination, has: [accept] },
      ]
    }),
  }),
  reactStrictMode: true,
  // Skip type checking in the build, because `npm test` runs tsc, which also checks tests and scripts.
  typescript: { ignoreBuildErrors: true },
  // With the default values of the first three options, the build took more than twice as long. Writing the
  // cache takes longer than it saves in the next build, Node does not read the source maps, and the size of
  // server code on disk does not matter. See ADR 0004 for the figures.
  experimental: {
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: process.env.BUILD_SOURCE_MAPS === '1',
    turbopackMinify: { server: false, client: true },
    // Load the code of a page when it is first visited. By default, Next loads the code of all pages at
    // startup and keeps it in memory.
    preloadEntriesOnStart: false,
  },
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
}
