// Stands before every other script of a drawing. Texts come from documents and models: they become text nodes.

const MARKS = { good: "✓", warn: "◐", bad: "✗", neutral: "○", unknown: "?" };

/** An element; strings among its children become text nodes. */
function make(tag, className, children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...(Array.isArray(children) ? children : [children]));
  return element;
}

/** The element of that class in a component, made at its first draw. */
function rootIn(parentElement, className) {
  const root = parentElement.querySelector(`.${className}`) ?? make("div", className);
  if (!root.parentElement) parentElement.append(root);
  return root;
}

