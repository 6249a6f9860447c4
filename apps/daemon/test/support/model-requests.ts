import type { ModelRequest, ScriptedModel } from '@agent/simulators/model';

type Requests = Pick<ScriptedModel, 'requests'>;

/** The bodies of the requests that went on with runs, as text, oldest first: all but those for final summaries. */
export function listTurns({ requests }: Requests): readonly string[] {
  return listBodies(requests.filter((request) => !asksForSummary(request)));
}

/** The bodies of the requests for final summaries, as text, oldest first. */
export function listSummaryRequests({ requests }: Requests): readonly string[] {
  return listBodies(requests.filter(asksForSummary));
}

function asksForSummary({ body }: ModelRequest): boolean {
  const { tools } = (body ?? {}) as { readonly tools?: readonly unknown[] };
  return (tools ?? []).length === 0 && JSON.stringify(body ?? '').includes('\\"key_decisions\\": [{');
}

function listBodies(requests: readonly ModelRequest[]): readonly string[] {
  return requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.stringify(body));
}
