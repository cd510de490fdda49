-- The token that the key of an authenticator app was handed to, until it is confirmed.
ALTER TABLE "totp_secrets" ADD COLUMN "begun_by" UUID;
