import type { Forge } from './forge.ts';

/** The reactions on comments of the first thread, by the same names on both forges, sorted. */
export function listReactions(forge: Forge): readonly string[] {
  return forge
    .thread('#1')
    .comments.flatMap(({ body, reactions }) => reactions.map((one) => `${body.split('\n')[0]} ${one}`))
    .map((one) => one.replace('robot: ', '').replace('thumbsup', '+1'))
    .sort();
}
