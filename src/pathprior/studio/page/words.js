// Statements and probabilities in words.
export const STATEMENTS = [
  ["causes", "causes"],
  ["direct", "directly causes"],
  ["not-causes", "does not cause"],
  ["not-direct", "does not directly cause"],
  ["caused-by", "is caused by"],
  ["associated", "is associated with"],
  ["not-associated", "is not associated with"],
  ["confounded", "shares only a cause with"],
  ["vector", "is related in one of four ways to"],
];
export const VECTOR = "vector";
export const RELATIONS = [
  ["⇒", "causes it"],
  ["⇐", "is caused by it"],
  ["⇔", "only a common cause"],
  ["⇎", "not associated"],
];
export const STRENGTHS = [
  ["1", "an opinion"],
  ["3", "one study"],
  ["10", "several studies"],
];

const DEGREES = [
  [0, "never"],
  [0.02, "almost never"],
  [0.1, "very unlikely"],
  [0.3, "unlikely"],
  [0.45, "rather not"],
  [0.55, "as likely as not"],
  [0.7, "rather likely"],
  [0.9, "likely"],
  [0.98, "very likely"],
  [0.99999, "almost certain"],
];
export const inWords = (probability) => {
  if (probability >= 1) return "certain";
  return DEGREES.find(([limit]) => probability <= limit)[1];
};
export const percent = (probability) => `${Number((100 * probability).toFixed(1))} %`;
export const ofHundred = (probability) => `${Math.round(100 * probability)} of 100`;
