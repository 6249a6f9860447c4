import { describe, expect, it } from 'vitest';
import { sampleRequest } from '../../test/sample-request.ts';
import { withNewComments } from './phase-parts.ts';

describe('withNewComments', () => {
  it('adds what was said since, and not what the request holds already [PP-58]', () => {
    const [known] = sampleRequest.comments;
    if (known === undefined) throw new Error('the request has a comment');
    const added = { ...known, body: 'The frontend too, please.' };
    const { comments } = withNewComments(sampleRequest, [{ ...known }, added]);
    expect(comments).toEqual([...sampleRequest.comments, added]);
  });
});
