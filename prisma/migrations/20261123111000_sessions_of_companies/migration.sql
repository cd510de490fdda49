-- By which workspace's identity provider a session began, and which issuer that was, so that it ends when that one speaks for its person no more.
ALTER TABLE "sessions" ADD COLUMN "company_id" UUID, ADD COLUMN "company_issuer" TEXT;
ALTER TABLE "pending_sign_ins" ADD COLUMN "company_id" UUID, ADD COLUMN "company_issuer" TEXT;
