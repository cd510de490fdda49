-- The commit of a token request as a function, for where oauth_artifacts is distributed (docs/operate/citus.md): Citus has the
-- node that holds the credential run it, and everything it writes lies in the same shard. One PostgreSQL never calls it.
CREATE FUNCTION "commit_token_request"(
  source BYTEA, consume BOOLEAN, answer BYTEA, sign_in BYTEA,
  hash_1 BYTEA, model_1 TEXT, payload_1 JSONB, seconds_1 FLOAT8,
  hash_2 BYTEA, model_2 TEXT, payload_2 JSONB, seconds_2 FLOAT8
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  at TIMESTAMPTZ := clock_timestamp();
  ends_with UUID;
BEGIN
  UPDATE "oauth_artifacts" SET "consumed_at" = CASE WHEN consume THEN at END, "replay" = answer
   WHERE "hash" = source AND "consumed_at" IS NULL AND "expires_at" > at
  RETURNING "authorization_id" INTO ends_with;
  IF NOT FOUND THEN RETURN false; END IF;
  IF hash_1 IS NOT NULL THEN
    INSERT INTO "oauth_artifacts" ("hash", "model", "authorization_id", "payload", "family", "expires_at")
    VALUES (hash_1, model_1, ends_with, payload_1, sign_in, at + seconds_1 * interval '1 second');
  END IF;
  IF hash_2 IS NOT NULL THEN
    INSERT INTO "oauth_artifacts" ("hash", "model", "authorization_id", "payload", "family", "expires_at")
    VALUES (hash_2, model_2, ends_with, payload_2, sign_in, at + seconds_2 * interval '1 second');
  END IF;
  RETURN true;
END $$;
