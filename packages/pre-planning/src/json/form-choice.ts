/** The one choice that a form names; where a model leaves it as it is, it chose nothing. */
export const formChoice = 'codebase|context|external';
