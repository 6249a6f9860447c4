import { type Expectation, expectNullable, expectNumber, expectPort, isObject } from '@agent/text/options';

/** A model of the AI SDK, or the name of one that its gateway has. */
export const expectModel: Expectation = {
  isMet: (value) => isObject(value) || (typeof value === 'string' && value !== ''),
  text: 'a model of the AI SDK',
};

/** Size of a window. */
export const expectTokens: Expectation = {
  ...expectNumber(1, { most: Number.MAX_SAFE_INTEGER }),
  text: 'a number of tokens of at least 1',
};

export const expectInbox: Expectation = expectNullable(expectPort('takeDelivery', 'markDelivered'));
