// The box on the home page: what is pasted there goes into the address of the page that checks it.

const form = document.querySelector(".checkbox");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.href = `${form.action}#${new URLSearchParams(new FormData(form))}`;
});
