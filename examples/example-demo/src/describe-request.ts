import type { DemoForge } from '@agent/simulators/demo';

type RecordedRequest = ReturnType<DemoForge['requests']>[number];

const deeds: readonly (readonly [RegExp, (parts: RegExpExecArray) => string])[] = [
  [/^POST .*\/issues\/(\d+)\/labels$/, ([, number]) => `adds a label to #${number}`],
  [
    /^DELETE .*\/issues\/(\d+)\/labels\/(.+)$/,
    ([, number, label]) => `removes "${decode(label)}" from #${number}`,
  ],
  [/^POST .*\/issues\/(\d+)\/comments$/, ([, number]) => `comments on #${number}`],
  [/^POST .*\/issues\/comments\/\d+\/reactions$/, () => 'reacts to a comment'],
  [/^POST .*\/notes\/\d+\/award_emoji$/, () => 'reacts to a comment'],
  [/^PATCH .*\/issues\/comments\/\d+$/, () => 'edits its comment'],
  [/^PUT .*\/issues\/(\d+)$/, ([, number]) => `changes the labels of #${number}`],
  [/^POST .*\/issues\/(\d+)\/notes$/, ([, number]) => `comments on #${number}`],
  [/^PUT .*\/notes\/\d+$/, () => 'edits its comment'],
  [/^POST .*\/merge_requests$/, () => 'opens a merge request'],
  [/^PUT .*\/merge_requests\/(\d+)$/, ([, number]) => `updates merge request !${number}`],
  [
    /^POST .*\/pulls\/(\d+)\/comments(?:\/\d+\/replies)?$/,
    ([, number]) => `answers a review comment on #${number}`,
  ],
  [/^POST .*\/labels$/, () => 'creates a label'],
  [/^POST .*\/pulls$/, () => 'opens a pull request'],
  [/^PATCH .*\/pulls\/(\d+)$/, ([, number]) => `updates pull request #${number}`],
  [/^POST .*\/git-receive-pack$/, () => 'pushes its branch'],
  [/^POST .*\/git-upload-pack$/, () => 'fetches from the repository'],
];

/**
 * Says in words what a request did. Null for reads, of which there are many and all of GraphQL's but one, and for what the server refused
 * to an anonymous git before it sent its token.
 */
export function describeRequest({ method, path, status }: RecordedRequest): string | null {
  if (method === 'GET' || method === 'HEAD' || status === 401 || path === '/graphql') return null;
  const request = `${method} ${path.split('?')[0]}`;
  const deed = deeds
    .map(([pattern, say]) => [pattern.exec(request), say] as const)
    .find(([parts]) => parts !== null);
  const said = deed?.[0] ? deed[1](deed[0]) : request;
  return status < 400 ? said : `${said}: refused with ${status}`;
}

function decode(text: string | undefined): string {
  return decodeURIComponent(text ?? '');
}
