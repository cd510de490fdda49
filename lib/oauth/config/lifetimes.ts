const hour = 3600
const day = 24 * hour

/** How long things live, in seconds (design section 5). A grant has no end: it is the person's authorization. */
export const lifetimes = {
  AuthorizationCode: 60,
  AccessToken: hour,
  IdToken: hour,
  DeviceCode: 600,
  Interaction: hour,
  Session: 14 * day,
  // Sliding: a token that replaces another starts anew.
  RefreshToken: 365 * day,
  Grant: 100 * 365 * day,
}
