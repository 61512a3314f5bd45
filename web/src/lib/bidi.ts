const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Keeps a name of another direction from turning the sentence round it. */
export const isolate = (text: string) => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)
