#pragma once

#include <pybind11/pybind11.h>

#include "python/bindings/document.hpp"

namespace saltus::python {

// For the definition of a class whose objects hold functions of Python, those of document_of(object): the garbage
// collector finds the cycles that they close. The force of a model may be a method of the object that owns the model.
template <class Type, const Document& (*document_of)(const Type&)>
py::custom_type_setup collects_functions() {
    struct Held {
        // Null while the object is being made.
        static const Document* document(PyObject* self) {
            const auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
            return held.holder_constructed() ? &document_of(*held.template value_ptr<Type>()) : nullptr;
        }
        static int traverse(PyObject* self, visitproc visit, void* arg) {
            Py_VISIT(Py_TYPE(self));
            const Document* const document = Held::document(self);
            if (!document) return 0;
            for (const auto& [place, function] : document->functions()) {
                Py_VISIT(function->value.ptr());
                Py_VISIT(function->jacobian.ptr());
            }
            return 0;
        }
        static int clear(PyObject* self) {
            const Document* const document = Held::document(self);
            if (!document) return 0;
            for (const auto& [place, function] : document->functions()) {
                function->value = py::none();
                function->jacobian = py::none();
            }
            return 0;
        }
        // Before the object comes apart.
        static void deallocate(PyObject* self) {
            PyObject_GC_UnTrack(self);
            py::detail::pybind11_object_dealloc(self);
        }
    };
    return py::custom_type_setup([](PyHeapTypeObject* heap_type) {
        PyTypeObject& type = heap_type->ht_type;
        type.tp_flags |= Py_TPFLAGS_HAVE_GC;
        type.tp_traverse = Held::traverse;
        type.tp_clear = Held::clear;
        type.tp_dealloc = Held::deallocate;
    });
}

}  // namespace saltus::python
