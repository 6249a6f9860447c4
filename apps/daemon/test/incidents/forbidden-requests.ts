import type { Effect } from './effect.ts';
import type { Scene } from './scene.ts';

/** Requests that a run needs, beyond reading. Everything else that writes is forbidden. */
const neededWrites: readonly RegExp[] = [
  /^POST \/graphql$/,
  /^(?:POST|PATCH|DELETE) \/repos\/acme\/shop\/issues\/(?:comments\/)?\d+(?:\/comments|\/labels(?:\/[^/]+)?|\/reactions)?$/,
  /^POST \/repos\/acme\/shop\/issues\/comments\/\d+\/reactions$/,
  /^POST \/repos\/acme\/shop\/(?:labels|pulls)$/,
  /^PATCH \/repos\/acme\/shop\/pulls\/\d+$/,
  /^POST \/repos\/acme\/shop\/pulls\/\d+\/(?:comments\/\d+\/replies|requested_reviewers)$/,
  /^POST \/acme\/shop\.git\/git-(?:upload|receive)-pack$/,
  /^(?:POST|PUT|DELETE) \/api\/v4\/projects\/\d+\/(?:issues|merge_requests)\/\d+(?:\/notes(?:\/\d+)?)?(?:\/award_emoji(?:\/\d+)?)?$/,
  /^POST \/api\/v4\/projects\/\d+\/(?:labels|merge_requests)$/,
  /^POST \/api\/v4\/projects\/\d+\/merge_requests\/\d+\/discussions\/\w+\/notes$/,
];

/** Finds requests of the robot that no run may send: writes that it does not need, and any use of another repository. */
export function findForbiddenRequests({ hands }: Scene): readonly Effect[] {
  const names = hands.vaultNames();
  return hands.requestsOfRobot().flatMap(({ method, path }): Effect[] => {
    const where = `${method} ${path.replace(/\?.*/, '')}`;
    if (names.some((name) => `${where}/`.includes(name))) return [{ kind: 'other repository', where }];
    const writes = method !== 'GET' && method !== 'HEAD';
    return writes && !neededWrites.some((form) => form.test(where))
      ? [{ kind: 'forbidden request', where }]
      : [];
  });
}
