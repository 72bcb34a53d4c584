// What the tests ask of a page in the browser: window.look.* return lists of faults, each a sentence.
(() => {
  const slack = 1;  // CSS pixels that rounding may take

  const called = (element) => {
    const name = element.getAttribute?.("class");
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 50);
    return `<${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""}${name ? "." + name.split(" ").join(".") : ""}> “${text}”`;
  };

  const remembered = (ask) => {
    const answers = new Map();
    return (key) => {
      if (!answers.has(key)) answers.set(key, ask(key));
      return answers.get(key);
    };
  };

  // Only for screen readers, or waiting for the keyboard: a box of one pixel, or one moved off the page.
  const hidden = remembered((element) => {
    if (!element || element.nodeType !== 1) return false;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return true;
    if (style.position === "absolute") {
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1 || box.right <= 0 || box.bottom + scrollY <= 0) return true;
    }
    return hidden(element.parentElement) || !element.checkVisibility();
  });

  // Every piece of visible text below an element: where it stands and the boxes of its lines.
  const texts = remembered((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode, element = node.parentElement;
      if (!node.data.trim() || element.closest("style, script, title, desc, defs") || hidden(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
      if (boxes.length) found.push({element, node, text: node.data.trim(), boxes});
    }
    return found;
  });

  const cuts = (style, axis) => ["auto", "scroll", "hidden", "clip"].includes(style[axis]);

  // Containers that scroll sideways or cut off, and boxes that stand out of the viewport.
  const overflowing = () => {
    const width = document.documentElement.clientWidth, faults = [];
    if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} px wide in ${width} px`);
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest("svg, head") && element.tagName !== "svg" || hidden(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width && (box.right > width + slack || box.left < -slack))
        faults.push(`${called(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${width} px`);
      if (element.scrollWidth > element.clientWidth + slack && cuts(getComputedStyle(element), "overflowX") && element.clientWidth)
        faults.push(`${called(element)} holds ${element.scrollWidth} px in ${element.clientWidth} px`);
    }
    return faults;
  };

  // Text that is cut off by a box around it, by its drawing, or by the viewport's sides.
  const cutOff = () => {
    const faults = [], width = document.documentElement.clientWidth;
    for (const {element, text, boxes} of texts(document.body)) {
      for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
        const style = getComputedStyle(at);
        const frame = at.tagName === "svg" ? at.getBoundingClientRect() : cuts(style, "overflowX") || cuts(style, "overflowY") ? at.getBoundingClientRect() : null;
        if (!frame) continue;
        const out = boxes.find((box) => box.left < frame.left - slack || box.right > frame.right + slack || box.top < frame.top - 3 || box.bottom > frame.bottom + 3);
        if (out) { faults.push(`“${text.slice(0, 60)}” is cut off by ${called(at)}`); break; }
      }
      if (boxes.some((box) => box.left < -slack || box.right > width + slack)) faults.push(`“${text.slice(0, 60)}” leaves the page`);
    }
    return faults;
  };

  // Words that a line's end breaks in two without need, and figures of tables that stand on another line than their unit.
  const word = /(?<![^\s(“"])[\p{L}\p{N}\u2212+%.,]{2,16}(?![^\s)”":;?!])/gu, figure = /[+\u2212-]?[\d.,]+ (%|[A-Z]{3})(?![\p{L}\p{N}])/gu;
  const brokenWords = () => {
    const faults = [], range = document.createRange();
    for (const {element, node} of texts(document.body)) {
      for (const match of [...node.data.matchAll(word), ...(element.closest("td, th") ? node.data.matchAll(figure) : [])]) {
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.bottom)));
        if (lines.size > 1 && element.tagName !== "text") faults.push(`“${match[0]}” is broken in ${called(element)}`);
      }
    }
    return faults;
  };

  // Texts that lie on one another: in drawings, and lines of one another's paragraphs.
  const overlapping = () => {
    const faults = [];
    for (const drawing of document.querySelectorAll("svg")) {
      const labels = texts(drawing).map(({element, text, boxes}) => ({element, text, box: boxes[0]}));
      labels.forEach((one, index) => {
        for (const other of labels.slice(index + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          // A line's box is taller than its letters: a quarter of it may be shared.
          if (across > slack && down > Math.min(one.box.height, other.box.height) / 4)
            faults.push(`“${one.text}” and “${other.text}” lie on one another in ${called(drawing.closest("figure") || drawing)}`);
        }
      });
    }
    return faults;
  };

  const scaleOf = (element) => {
    const drawing = element.closest("svg");
    if (!drawing) return 1;
    const matrix = element.getScreenCTM();
    return Math.hypot(matrix.c, matrix.d);
  };

  const smallText = (least) => texts(document.body)
    .map(({element, text}) => ({text, size: parseFloat(getComputedStyle(element).fontSize) * scaleOf(element)}))
    .filter(({size}) => size < least - 0.05)
    .map(({text, size}) => `“${text.slice(0, 40)}” is ${size.toFixed(1)} px high`);

  // Of @page, both sides together, in CSS pixels; 0.4 inches a side where the page says nothing.
  const sideMargins = () => {
    const probe = document.body.appendChild(document.createElement("div"));
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const paper = rules.flatMap((rule) => rule.type === CSSRule.MEDIA_RULE ? [...rule.cssRules] : [rule]).find((rule) => rule instanceof CSSPageRule);
    probe.style.marginLeft = paper?.style.marginLeft || "0.4in";
    probe.style.marginRight = paper?.style.marginRight || "0.4in";
    const style = getComputedStyle(probe), sum = parseFloat(style.marginLeft) + parseFloat(style.marginRight);
    probe.remove();
    return sum;
  };

  window.look = {sideMargins, remembered, called, hidden, texts, overflowing, cutOff, brokenWords, overlapping, smallText};
})();
