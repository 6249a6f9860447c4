import { readFile } from 'node:fs/promises';
import type { Environment } from '@agent/workspace';
import { z } from 'zod';
import { JobError } from './job-error.ts';
import type { JobEvent } from './job-event.ts';
import { readGitHubEvent } from './read-github-event.ts';
import { parseGitLabThread, readGitLabEvent } from './read-gitlab-event.ts';

/**
 * Reads the event that started this job from the environment that GitHub Actions and GitLab CI give to it.
 *
 * @throws JobError outside of a job, and for a payload that is not the one of a webhook
 */
export async function readJob(environment: Environment): Promise<JobEvent> {
  if (environment.GITHUB_ACTIONS === 'true') {
    const payload = await readPayload('GITHUB_EVENT_PATH', environment);
    return parse('GITHUB_EVENT_PATH', () => readGitHubEvent(payload, environment));
  }
  if (environment.GITLAB_CI !== 'true')
    throw new JobError(
      'This is not a job of GitHub Actions or GitLab CI. Use "agent-daemon run --thread" on your own machine.',
    );
  const { AGENT_THREAD: thread = '', TRIGGER_PAYLOAD: payload = '' } = environment;
  if (thread !== '') return parse('AGENT_THREAD', () => parseGitLabThread(thread, environment));
  if (payload === '')
    throw new JobError(
      'This pipeline was not started by a webhook. Add a webhook that calls the trigger API, or set AGENT_THREAD to the URL of an issue.',
    );
  const event = await readPayload('TRIGGER_PAYLOAD', environment);
  return parse('TRIGGER_PAYLOAD', () => readGitLabEvent(event, environment));
}

async function readPayload(variable: string, environment: Environment): Promise<unknown> {
  try {
    return JSON.parse(await readFile(environment[variable] ?? '', 'utf8'));
  } catch {
    throw new JobError(`${variable} does not name a file with the payload of an event.`);
  }
}

function parse(variable: string, read: () => JobEvent): JobEvent {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new JobError(`${variable} is not the payload of a webhook: ${field}: ${issue?.message ?? ''}`);
  }
}
