import { ModelError } from './model-error.ts';

/**
 * Gives the refusal of a conversation that is longer than the window of the model a code of its own; any other error is returned as it
 * is. Reads the answer of the endpoint in the cause of the error.
 */
export async function nameOverflow(error: unknown): Promise<unknown> {
  if (!ModelError.isInstance(error) || !['model-status', 'model-failed'].includes(error.code)) return error;
  const [{ APICallError }, { classifyModelError }] = await Promise.all([
    import('ai'),
    import('../classify-model-error.ts'),
  ]);
  const { status, cause } = error;
  const said = APICallError.isInstance(cause)
    ? cause
    : new APICallError({
        ...{ message: '', url: 'http://localhost', requestBodyValues: {}, statusCode: status ?? 400 },
        responseBody: typeof cause === 'string' ? cause : JSON.stringify({ error: cause }),
      });
  if (classifyModelError(said).kind !== 'context-too-long') return error;
  const text = 'the conversation is longer than the context window of the model';
  return new ModelError('model-overflow', text, { status, cause });
}
