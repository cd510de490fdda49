-- A delivery is queued in the transaction that writes it down; what an earlier release left unqueued is found by its
-- missing job, when background work starts and once an hour.
DROP INDEX "webhook_deliveries_status_next_attempt_at_idx";
ALTER TABLE "webhook_deliveries" DROP COLUMN "next_attempt_at";
