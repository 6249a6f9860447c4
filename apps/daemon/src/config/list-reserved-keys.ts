import type { Config } from './schema.ts';

/** Keys that are set and have no effect so far: whoever sets one is told. */
export function listReservedKeys({ comment_detection: detection, planning }: Config): readonly string[] {
  return [
    ...(detection.include_review_comments ? ['comment_detection.include_review_comments'] : []),
    ...(planning?.progress_comment.enabled ? ['planning.progress_comment.enabled'] : []),
  ];
}
