-- One row for each job that one process at a time runs for all of them, and for each job that has failed. Who takes a job holds a lease on its row
-- and renews it while the job runs: a process that dies stops renewing, and another takes the job once the lease has passed. Every time is the
-- database's, so that the clocks of the processes need not agree. It belongs to no organization; the serving role has no grant on it.
create table background_jobs (
  name text primary key,
  due_at timestamptz(3) not null default now(),
  runner text,
  leased_until timestamptz(3),
  started_at timestamptz(3),
  succeeded_at timestamptz(3),
  failed_at timestamptz(3),
  -- Failures since the last success; the error of the last one stays to be read.
  failures integer not null default 0,
  error text,
  constraint background_job_runs_under_a_lease check ((runner is null) = (leased_until is null)),
  constraint background_job_failure_has_its_error check ((failed_at is null) = (error is null))
);
