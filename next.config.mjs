/** @type {import('next').NextConfig} */
export default {
  // Bundled, oidc-provider's models lose their names and Prisma its engine; all of these must be one instance per process.
  serverExternalPackages: [
    'oidc-provider',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    '@node-rs/argon2',
    'light-my-request',
  ],
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` runs tsc itself, over tests and scripts as well.
  typescript: { ignoreBuildErrors: true },
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
}
